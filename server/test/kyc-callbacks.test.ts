import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../src/foundation/ids.ts";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { until } from "./harness/eventually.ts";
import {
  business,
  bvn,
  CUSTOMER_ID,
  nin,
  passport,
  statusOf,
  untilStatus,
  verifyBusiness,
  verifyIndividual,
} from "./harness/kyc.ts";
import type { Fault, PretendSumsub } from "./harness/pretend-sumsub.ts";
import { sampleJpeg, sampleWebp } from "./harness/sample-images.ts";
import { startTestService, type TestService } from "./harness/service.ts";
import {
  callBack,
  GREEN,
  RED,
  reviewed,
  startSumsub,
  sumsubEnvironment,
} from "./harness/sumsub.ts";

let sumsub: PretendSumsub;
let service: TestService;
let database: pg.Client;
const lines: string[] = [];
beforeAll(async () => {
  sumsub = await startSumsub();
  service = await startTestService(
    { ...sumsubEnvironment(sumsub), FLORIN_TOKEN_TTL_S: "86400", FLORIN_LOG_LEVEL: "trace" },
    { log: { write: (line) => void lines.push(line) } },
  );
  database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.stop();
  await sumsub.stop();
});
beforeEach(() => {
  sumsub.faults = [];
  sumsub.lateFaults = [];
});

const eventsOf = async (kycToken: string): Promise<{ type: string; data: object }[]> => {
  const { rows } = await database.query(
    "select event_type as type, data from events where data->>'kycToken' = $1 order by event_id",
    [kycToken],
  );
  return rows;
};

const typesOf = async (kycToken: string): Promise<string[]> =>
  (await eventsOf(kycToken)).map(({ type }) => type);

async function submit(body: { clientReference: string } = passport()): Promise<string> {
  const send = "businessKyc" in body ? verifyBusiness : verifyIndividual;
  const { body: answer } = await send(service.client, body);
  expect(answer.data.status).toBe("Initiated");
  return answer.data.kycToken;
}

async function submitted(body = passport()): Promise<string> {
  const kycToken = await submit(body);
  await untilStatus(service.client, kycToken, "Pending");
  return kycToken;
}

const post = (payload: unknown, options: Parameters<typeof callBack>[2] = {}) =>
  callBack(service.sandbox.apiUrl, payload, options);
const advance = (seconds: number) => service.client.post("/simulator/clock/advance", { seconds });
const failed: Fault = (_request, response) => response.writeHead(500).end();

const INITIATED_TO_APPROVED = ["kyc.initiated", "kyc.pending", "kyc.approved"];
const INITIATED_TO_REJECTED = ["kyc.initiated", "kyc.pending", "kyc.rejected"];

describe("a call-back", () => {
  test("approves", async () => {
    const kycToken = await submitted();
    const answer = await post(reviewed(sumsub.applicant(kycToken), GREEN));
    expect(answer.status).toBe(200);
    const { body } = await statusOf(service.client, kycToken);
    expect(body.data).toMatchObject({
      status: "Approved",
      customerId: expect.stringMatching(CUSTOMER_ID),
    });
    expect(await typesOf(kycToken)).toEqual(INITIATED_TO_APPROVED);
  });

  test("rejects, in our words", async () => {
    const kycToken = await submitted();
    expect((await post(reviewed(sumsub.applicant(kycToken), RED))).status).toBe(200);
    const { body } = await statusOf(service.client, kycToken);
    expect(body.data).toMatchObject({
      status: "Rejected",
      rejectType: "FINAL",
      rejectLabels: ["FORGERY"],
    });
    expect(JSON.stringify(body)).not.toContain("private words");
    expect(await typesOf(kycToken)).toEqual(INITIATED_TO_REJECTED);
  });

  test("may come again, late and ten times at once; the first decision stands", async () => {
    const kycToken = await submitted();
    const applicant = sumsub.applicant(kycToken);
    const approve = () => post(reviewed(applicant, GREEN));
    const answers = await Promise.all(Array.from({ length: 10 }, approve));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { body: before } = await statusOf(service.client, kycToken);
    for (const again of [
      reviewed(applicant, RED),
      { ...reviewed(applicant, {}), type: "applicantPending", reviewStatus: "pending" },
      reviewed(applicant, GREEN, new Date(Date.now() - 24 * 3_600_000)),
    ]) {
      expect((await post(again)).status).toBe(200);
    }
    expect((await statusOf(service.client, kycToken)).body.data).toEqual(before.data);
    expect(await typesOf(kycToken)).toEqual(INITIATED_TO_APPROVED);
  });

  test("may be faster than the answer to the submission; skipped steps are told", async () => {
    let answer: () => void = () => undefined;
    sumsub.lateFaults = [
      undefined,
      undefined,
      (_request, response) => {
        answer = () => response.writeHead(200).end("{}");
      },
    ];
    const kycToken = await submit();
    await until("the check is requested", () =>
      sumsub.applicants.some(
        ({ externalUserId, reviewStatus }) =>
          externalUserId === kycToken && reviewStatus === "pending",
      ),
    );
    expect((await statusOf(service.client, kycToken)).body.data.status).toBe("Initiated");
    expect((await post(reviewed(sumsub.applicant(kycToken), GREEN))).status).toBe(200);
    expect(await typesOf(kycToken)).toEqual(INITIATED_TO_APPROVED);
    answer();
    await until("the worker is done with it", async () => {
      const { rows } = await database.query(
        "select lease_until as lease, provider_id as id from kyc_verifications where kyc_token = $1",
        [kycToken],
      );
      return rows[0].lease === null && rows[0].id !== null;
    });
    expect((await statusOf(service.client, kycToken)).body.data.status).toBe("Approved");
    expect(await typesOf(kycToken)).toEqual(INITIATED_TO_APPROVED);
  });

  test.each<[string, number, (good: object) => Promise<Response>]>([
    ["with another secret's signature", 401, (good) => post(good, { secret: "guessed" })],
    ["with no signature", 401, (good) => post(good, { headers: { "x-payload-digest": "" } })],
    [
      "with a weak algorithm",
      401,
      (good) => post(good, { headers: { "x-payload-digest-alg": "HMAC_SHA1_HEX" } }),
    ],
    [
      "that is two days old",
      401,
      (good) => post({ ...good, createdAtMs: "2020-01-01 00:00:00.000" }),
    ],
    ["that is no JSON", 400, () => post("approve everything")],
    ["that is empty", 400, () => post("")],
    ["that says nothing", 400, () => post({})],
    ["that is far too large", 400, (good) => post({ ...good, padding: "x".repeat(65 * 1024) })],
    [
      "of a provider that is not ours",
      404,
      (good) => post(good, { path: "/callbacks/kyc/onfido" }),
    ],
    ["of the sandbox", 404, (good) => post(good, { path: "/callbacks/kyc/sandbox" })],
    ["of a path within", 404, (good) => post(good, { path: "/callbacks/kyc/sumsub/x" })],
  ])("%s is %i and decides nothing", async (_name, status, send) => {
    const kycToken = await submitted();
    const answer = await send(reviewed(sumsub.applicant(kycToken), GREEN));
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ finality: "TerminalFailure" });
    expect((await statusOf(service.client, kycToken)).body.data.status).toBe("Pending");
  });

  test.each(["text/plain", "application/octet-stream", undefined])(
    "said to be %s is read all the same: the signature is what counts",
    async (contentType) => {
      const kycToken = await submitted();
      const answer = await post(reviewed(sumsub.applicant(kycToken), GREEN), { contentType });
      expect(answer.status).toBe(200);
      expect((await statusOf(service.client, kycToken)).body.data.status).toBe("Approved");
    },
  );

  test.each<[string, (of: { id: string; externalUserId: string }) => object]>([
    ["about nobody", () => reviewed({ id: "a1", externalUserId: newId("kyc", 1) }, GREEN)],
    ["about somebody else's user", (of) => ({ ...reviewed(of, GREEN), externalUserId: "user-1" })],
    ["about another applicant", (of) => reviewed({ ...of, id: "ffffffffffffffffffffffff" }, GREEN)],
    ["of another kind", (of) => ({ ...reviewed(of, GREEN), type: "applicantCreated" })],
    ["without a verdict", (of) => reviewed(of, { reviewAnswer: "MAUVE" })],
  ])("%s is taken and ignored", async (_name, payloadOf) => {
    const kycToken = await submitted();
    expect((await post(payloadOf(sumsub.applicant(kycToken)))).status).toBe(200);
    expect((await statusOf(service.client, kycToken)).body.data.status).toBe("Pending");
    expect(await typesOf(kycToken)).toEqual(["kyc.initiated", "kyc.pending"]);
  });

  test("about what another provider has is ignored, and nobody carries that on here", async () => {
    const kycToken = await submitted();
    await database.query(
      `update kyc_verifications set provider = 'elsewhere', provider_id = null, due_at = created_at
        where kyc_token = $1`,
      [kycToken],
    );
    expect((await post(reviewed(sumsub.applicant(kycToken), GREEN))).status).toBe(200);
    await submitted();
    const { rows } = await database.query(
      `select status, provider_id as id, lease_until as lease from kyc_verifications
        where kyc_token = $1`,
      [kycToken],
    );
    expect(rows).toEqual([{ status: "Pending", id: null, lease: null }]);
  });

  test("is told after the step before it, also where that one's clock was ahead", async () => {
    const kycToken = await submitted();
    await database.query(
      "update kyc_verifications set updated_at = updated_at + interval '1 hour' where kyc_token = $1",
      [kycToken],
    );
    await post(reviewed(sumsub.applicant(kycToken), GREEN));
    const { rows } = await database.query(
      `select extract(epoch from max(e.created_at) - min(e.created_at))::int as apart,
              max(e.created_at) = max(v.updated_at) as "isKept"
         from events e join kyc_verifications v on v.kyc_token = e.data->>'kycToken'
        where v.kyc_token = $1`,
      [kycToken],
    );
    expect(rows[0].apart).toBeGreaterThanOrEqual(3_600);
    expect(rows[0].isKept).toBe(true);
  });

  test("is not a matter for GET", async () => {
    const answer = await fetch(`${service.sandbox.apiUrl}/callbacks/kyc/sumsub`);
    expect(answer.status).toBe(404);
  });
});

describe("without call-backs", () => {
  test("the outcome is asked for", async () => {
    const tokens = [await submitted(), await submitted()];
    const [green, red] = tokens.map((token) => sumsub.applicant(token));
    Object.assign(green ?? {}, { reviewStatus: "completed", reviewResult: GREEN });
    Object.assign(red ?? {}, { reviewStatus: "completed", reviewResult: RED });
    await advance(61);
    await untilStatus(service.client, tokens[0] ?? "", "Approved");
    await untilStatus(service.client, tokens[1] ?? "", "Rejected");
    expect(await typesOf(tokens[0] ?? "")).toEqual(INITIATED_TO_APPROVED);
    expect(await typesOf(tokens[1] ?? "")).toEqual(INITIATED_TO_REJECTED);
  });

  test("and it is asked for again, while it is Pending", async () => {
    const kycToken = await submitted();
    const applicant = sumsub.applicant(kycToken);
    const questions = () =>
      sumsub.calls.filter((call) => call === `GET /resources/applicants/${applicant.id}/status`);
    await advance(61);
    await until("it was asked for once", () => questions().length === 1);
    await until("that is counted, so that the next pause is longer", async () => {
      const { rows } = await database.query(
        "select attempts from kyc_verifications where kyc_token = $1",
        [kycToken],
      );
      return rows[0].attempts === 1;
    });
    Object.assign(applicant, { reviewStatus: "completed", reviewResult: GREEN });
    await advance(300);
    await untilStatus(service.client, kycToken, "Approved");
  });
});

describe("a submission", () => {
  test("reaches the provider once, with all that was sent", async () => {
    const kycToken = await submitted(
      passport({
        dateOfBirth: "1992-04-15",
        email: "ada@example.com",
        phoneNumber: "+2348031234567",
        idBackImage: sampleJpeg().toString("base64"),
      }),
    );
    expect(sumsub.applicants.filter((each) => each.externalUserId === kycToken)).toHaveLength(1);
    expect(sumsub.applicant(kycToken)).toMatchObject({
      type: "individual",
      email: "ada@example.com",
      phone: "+2348031234567",
      fixedInfo: { firstName: "Ada", lastName: "Obi", dob: "1992-04-15" },
      uploads: [
        {
          metadata: { idDocType: "PASSPORT", idDocSubType: "FRONT_SIDE", number: "A00123456" },
          mediaType: "image/png",
        },
        { metadata: { idDocSubType: "BACK_SIDE" }, mediaType: "image/jpeg" },
      ],
    });
    const company = await submit(business());
    await untilStatus(service.client, company, "Pending");
    expect(sumsub.applicant(company)).toMatchObject({
      type: "company",
      fixedInfo: {
        companyInfo: {
          companyName: "Obi & Sons Ltd",
          registrationNumber: "RC123456",
          country: "NGA",
        },
      },
    });
  });

  test("of a file that the provider will not look at is Rejected at once", async () => {
    const body = passport({ idFrontImage: sampleWebp().toString("base64") });
    const { clientReference } = body;
    const kycToken = await submit(body);
    const rejected = await untilStatus(service.client, kycToken, "Rejected");
    expect(rejected).toMatchObject({
      rejectType: "RETRY",
      rejectLabels: ["UNSUPPORTED_DOCUMENT"],
    });
    // The step that was passed through had no reasons yet.
    expect(await eventsOf(kycToken)).toEqual([
      { type: "kyc.initiated", data: { kycToken, clientReference, status: "Initiated" } },
      { type: "kyc.pending", data: { kycToken, clientReference, status: "Pending" } },
      { type: "kyc.rejected", data: rejected },
    ]);
  });

  test("that meets a fault stays Initiated, and is made again later", async () => {
    sumsub.faults = [failed, failed, failed];
    const kycToken = await submit();
    await until("it was tried in vain", async () => {
      const { rows } = await database.query(
        "select attempts, lease_until as lease from kyc_verifications where kyc_token = $1",
        [kycToken],
      );
      return rows[0].attempts === 1 && rows[0].lease === null;
    });
    expect((await statusOf(service.client, kycToken)).body.data.status).toBe("Initiated");
    await advance(10);
    await untilStatus(service.client, kycToken, "Pending");
    expect(await typesOf(kycToken)).toEqual(["kyc.initiated", "kyc.pending"]);
  });

  test("whose answers are all lost is found again, not made twice", async () => {
    sumsub.lateFaults = [failed, undefined, failed, undefined, failed];
    const kycToken = await submit();
    await untilStatus(service.client, kycToken, "Pending");
    expect(sumsub.applicants.filter((each) => each.externalUserId === kycToken)).toHaveLength(1);
    expect(sumsub.applicant(kycToken).uploads).toHaveLength(1);
  });
});

describe("a number", () => {
  beforeAll(() => {
    const dob = "1992-04-15";
    const extractedDoc = { firstName: "ADA", lastName: "OBI", dob };
    sumsub.register.set("TAX_PAYER_NUMBER_DOC 22222222222", { answer: "GREEN", extractedDoc });
    sumsub.register.set("ID_CARD 11111111111", { answer: "GREEN", extractedDoc });
  });

  test.each([
    ["Approved", bvn()],
    ["Rejected", bvn({ firstName: "Eve", lastName: "Ike" })],
    ["Rejected", bvn({ idNumber: "99999999999" })],
    ["Approved", nin({ firstName: "Ada", dateOfBirth: "1992-04-15" })],
    ["Rejected", nin({ firstName: "Ada", dateOfBirth: "1992-04-16" })],
  ])("is %s by our rules: %j", async (status, body) => {
    const answer = await verifyIndividual(service.client, body);
    expect(answer.body.data.status).toBe(status);
  });

  test("whose look-up was lost is 502, and the retry asks under the same name", async () => {
    const reference = newReference();
    const body = bvn();
    sumsub.lateFaults = [undefined, failed];
    expectRefusal(await verifyIndividual(service.client, body, { reference }), "502/152");
    const applicant = sumsub.applicants.at(-1);
    expect(applicant?.lookUps).toHaveLength(1);
    const retry = await verifyIndividual(service.client, body, { reference });
    expect(verdict(retry)).toBe("200/000");
    expect(retry.body.data).toMatchObject({
      status: "Approved",
      kycToken: applicant?.externalUserId,
    });
    // Each look-up is charged.
    expect(applicant?.lookUps).toHaveLength(1);
  });
});

test("a call-back's age is one of real time, wherever the sandbox's clock is", async () => {
  await advance(3 * 86_400);
  service.client.forgetToken();
  const kycToken = await submitted();
  expect((await post(reviewed(sumsub.applicant(kycToken), GREEN))).status).toBe(200);
  expect((await statusOf(service.client, kycToken)).body.data.status).toBe("Approved");
});

test("neither a log line nor an event holds a number, an image or the provider's words", async () => {
  const secrets = ["22222222222", "A00123456", "RC123456", "pretend-secret-key", "private words"];
  const { rows } = await database.query("select data::text as data from events");
  expect(rows.length).toBeGreaterThan(10);
  expect(lines.length).toBeGreaterThan(10);
  for (const text of [...lines, ...rows.map(({ data }) => data)]) {
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/iVBORw0KGgo/);
  }
});
