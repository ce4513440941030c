import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { until } from "./harness/eventually.ts";
import {
  business,
  bvn,
  CUSTOMER_ID,
  image,
  passport,
  statusOf,
  untilStatus,
  verifyBusiness,
  verifyIndividual,
} from "./harness/kyc.ts";
import { startTestService, type TestService } from "./harness/service.ts";

const DELAY_S = 600;

let service: TestService;
let database: pg.Client;
beforeAll(async () => {
  service = await startTestService({
    FLORIN_SANDBOX_KYC_DELAY_MS: String(DELAY_S * 1000),
    FLORIN_TOKEN_TTL_S: "86400",
  });
  database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.stop();
});

async function submit(body: { clientReference: string }): Promise<string> {
  const send = "businessKyc" in body ? verifyBusiness : verifyIndividual;
  const { body: answer } = await send(service.client, body);
  expect(answer.data.status).toBe("Initiated");
  return answer.data.kycToken;
}

const decide = (kycToken: string, decision: unknown, reference = newReference()) =>
  service.client.post(`/simulator/kyc/${kycToken}`, decision, { reference });

const advance = (seconds: number) => service.client.post("/simulator/clock/advance", { seconds });

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape.
async function eventsOf(kycToken: string): Promise<{ type: string; data: any; at: Date }[]> {
  const { rows } = await database.query(
    `select event_type as type, data, created_at as at from events
      where data->>'kycToken' = $1 order by event_id`,
    [kycToken],
  );
  return rows;
}

const typesOf = async (kycToken: string) => (await eventsOf(kycToken)).map(({ type }) => type);

describe("by itself, when its time is over:", () => {
  test.each([
    ["a document", passport(), "Approved", undefined],
    [
      "a document of somebody called Reject",
      passport({ lastName: "Reject" }),
      "Rejected",
      ["UNREADABLE"],
    ],
    ["a business", business(), "Approved", undefined],
    ["a business called Reject", business({ registeredName: "Reject" }), "Rejected", ["NOT_FOUND"]],
  ])("%s is Pending, then decided", async (_name, body, status, rejectLabels) => {
    const kycToken = await submit(body);
    expect(await untilStatus(service.client, kycToken, "Pending")).toEqual({
      kycToken,
      clientReference: body.clientReference,
      status: "Pending",
    });
    await advance(DELAY_S);
    const decided = await untilStatus(service.client, kycToken, status);
    expect(decided).toEqual({
      kycToken,
      clientReference: body.clientReference,
      status,
      ...(status === "Approved"
        ? { customerId: expect.stringMatching(CUSTOMER_ID) }
        : { rejectType: "RETRY", rejectLabels }),
    });
    const events = await eventsOf(kycToken);
    expect(events.map(({ type, data }) => [type, data.status])).toEqual([
      ["kyc.initiated", "Initiated"],
      ["kyc.pending", "Pending"],
      [`kyc.${status.toLowerCase()}`, status],
    ]);
    expect(events[2]?.data).toEqual(decided);
    expect(events[1]?.data).toEqual({
      kycToken,
      clientReference: body.clientReference,
      status: "Pending",
    });
    const times = events.map(({ at }) => at.getTime());
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(new Set(times).size).toBe(3);
  });

  test("many at once are all decided", async () => {
    const tokens = await Promise.all(Array.from({ length: 30 }, () => submit(business())));
    await until("all are Pending", async () => {
      const answers = await Promise.all(tokens.map((token) => statusOf(service.client, token)));
      return answers.every(({ body }) => body.data.status === "Pending");
    });
    await advance(DELAY_S);
    await Promise.all(tokens.map((token) => untilStatus(service.client, token, "Approved")));
    for (const token of tokens) {
      expect(await typesOf(token)).toEqual(["kyc.initiated", "kyc.pending", "kyc.approved"]);
    }
  });
});

describe("the simulator decides", () => {
  test.each([
    ["Approved", {}],
    ["Rejected", { rejectType: "FINAL", rejectLabels: ["FORGERY", "SANCTIONS"] }],
    ["Rejected", { rejectType: "RETRY", rejectLabels: ["EXPIRED_DOCUMENT"] }],
  ])("%s with %j", async (status, reasons) => {
    const kycToken = await submit(passport());
    const answer = await decide(kycToken, { status, ...reasons });
    expect(verdict(answer)).toBe("200/000");
    expect(answer.body.data).toMatchObject({ kycToken, status, ...reasons });
    expect((await statusOf(service.client, kycToken)).body.data).toEqual(answer.body.data);
    // Whether or not it was Pending yet, its steps are told in order.
    expect(await typesOf(kycToken)).toEqual([
      "kyc.initiated",
      "kyc.pending",
      `kyc.${status.toLowerCase()}`,
    ]);
  });

  test("Rejected without reasons", async () => {
    const { body } = await decide(await submit(business()), { status: "Rejected" });
    expect(body.data).toMatchObject({ rejectType: "RETRY", rejectLabels: ["OTHER"] });
  });

  test("Pending, once or twice, and then on", async () => {
    const kycToken = await submit(passport());
    for (const status of ["Pending", "Pending", "Approved"]) {
      expect((await decide(kycToken, { status })).body.data.status).toBe(status);
    }
    expect(await typesOf(kycToken)).toEqual(["kyc.initiated", "kyc.pending", "kyc.approved"]);
  });

  test("no step back: 422/133", async () => {
    const kycToken = await submit(passport());
    await decide(kycToken, { status: "Pending" });
    expectRefusal(await decide(kycToken, { status: "Initiated" }), "422/133");
    expect((await statusOf(service.client, kycToken)).body.data.status).toBe("Pending");
  });

  const otherReason = (status: string): object =>
    status === "Rejected" ? { rejectType: "FINAL", rejectLabels: ["FORGERY"] } : {};

  test.each(["Approved", "Rejected"])(
    "nothing that is %s: 422/133, or 200 where the same is said again, by hand and by time",
    async (final) => {
      const kycToken = await submit(
        passport({ lastName: final === "Approved" ? "Reject" : "Obi" }),
      );
      const { body: decided } = await decide(kycToken, { status: final });
      const events = await eventsOf(kycToken);
      const others = ["Initiated", "Pending", "Approved", "Rejected"].filter((s) => s !== final);
      for (const status of others) {
        expectRefusal(await decide(kycToken, { status }), "422/133");
      }
      const again = await decide(kycToken, { status: final, ...otherReason(final) });
      expect(verdict(again)).toBe("200/000");
      expect(again.body.data).toEqual(decided.data);
      await advance(DELAY_S);
      const other = await submit(business());
      await untilStatus(service.client, other, "Pending");
      expect((await statusOf(service.client, kycToken)).body.data).toEqual(decided.data);
      expect(await eventsOf(kycToken)).toEqual(events);
    },
  );

  test("nothing about a number, which is decided at once", async () => {
    const { body } = await verifyIndividual(service.client, bvn());
    expectRefusal(await decide(body.data.kycToken, { status: "Rejected" }), "422/133");
  });

  test("once per Reference", async () => {
    const kycToken = await submit(passport());
    const reference = newReference();
    const answers = await Promise.all(
      [1, 2, 3].map(() => decide(kycToken, { status: "Approved" }, reference)),
    );
    expect(answers.map(verdict).sort()).toEqual(["200/000", "400/139", "400/139"]);
    expect(await typesOf(kycToken)).toEqual(["kyc.initiated", "kyc.pending", "kyc.approved"]);
    const { body } = await service.client.get(`/requests/${reference}`);
    expect(body.data).toMatchObject({ state: "Succeeded", resourceId: kycToken });
  });

  test.each<[unknown, string[]]>([
    [{}, ["status"]],
    [{ status: "Perhaps" }, ["status"]],
    [{ status: "Approved", rejectType: "FINAL" }, ["status"]],
    [{ status: "Rejected", rejectType: "MAYBE" }, ["rejectType"]],
    [{ status: "Rejected", rejectLabels: ["UGLY"] }, ["rejectLabels.0"]],
    [{ status: "Rejected", rejectLabels: [] }, ["rejectLabels"]],
    [{ status: "Approved", rejectLabels: ["OTHER"] }, ["status"]],
    [{ status: "Rejected", reason: "x" }, ["reason"]],
  ])("%j is 400/131", async (decision, fields) => {
    const answer = await decide(await submit(business()), decision);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer)).toEqual(fields);
  });

  test.each(["kyc_00000000000000000000000000", "nonsense"])("%s is 404/157", async (kycToken) => {
    expectRefusal(await decide(kycToken, { status: "Approved" }), "404/157");
  });
});

test("images and numbers are kept sealed, and nowhere else", async () => {
  const secret = { idNumber: "ZZ-SECRET-4711", dateOfBirth: "1977-07-17", idBackImage: image };
  const kycToken = await submit(passport(secret));
  const { rows } = await database.query(
    `select details::text, identity_sealed, (select array_agg(side order by side) from kyc_images i
       where i.kyc_token = v.kyc_token) as sides
       from kyc_verifications v where kyc_token = $1`,
    [kycToken],
  );
  expect(rows[0].sides).toEqual(["Back", "Front"]);
  expect(rows[0].details).not.toMatch(/SECRET|1977/);
  expect(rows[0].identity_sealed.toString("latin1")).not.toMatch(/SECRET|1977/);
  const { rows: images } = await database.query(
    "select image_sealed as sealed from kyc_images where kyc_token = $1",
    [kycToken],
  );
  const bytes = Buffer.from(image, "base64");
  for (const { sealed } of images) expect(sealed.includes(bytes)).toBe(false);
});
