import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { expectRefusal, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { until } from "./harness/eventually.ts";
import { bvn, passport, statusOf, untilStatus, verifyIndividual } from "./harness/kyc.ts";
import type { Fault, PretendSumsub } from "./harness/pretend-sumsub.ts";
import {
  cleanUp,
  newDataDir,
  quietEnvironment,
  type ServiceProcess,
  startServiceProcess,
} from "./harness/process.ts";
import { scratchDatabase } from "./harness/scratch.ts";
import { startSumsub, sumsubEnvironment } from "./harness/sumsub.ts";

let sumsub: PretendSumsub;
let database: Awaited<ReturnType<typeof scratchDatabase>>;
let admin: pg.Client;
beforeAll(async () => {
  sumsub = await startSumsub();
  const extractedDoc = { firstName: "ADA", lastName: "OBI" };
  sumsub.register.set("TAX_PAYER_NUMBER_DOC 22222222222", { answer: "GREEN", extractedDoc });
});
afterAll(() => sumsub.stop());
beforeEach(async () => {
  sumsub.faults = [];
  sumsub.lateFaults = [];
  database = await scratchDatabase();
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
});
afterEach(async () => {
  await cleanUp();
  await admin.end();
  await database.drop();
});

const start = (): Promise<ServiceProcess> =>
  startServiceProcess({
    ...quietEnvironment(newDataDir()),
    ...sumsubEnvironment(sumsub),
    FLORIN_DATABASE_URL: database.url,
  });

/** Hears the request and never answers. */
const hang: Fault = () => undefined;

/** What half a minute does to the leases of a process that died. */
async function expireLeases(): Promise<void> {
  await admin.query(
    "update kyc_verifications set lease_until = clock_timestamp() where lease_until is not null",
  );
}

const typesOf = async (kycToken: string): Promise<string[]> => {
  const { rows } = await admin.query(
    "select event_type as type from events where data->>'kycToken' = $1 order by event_id",
    [kycToken],
  );
  return rows.map(({ type }) => type);
};

const applicantsOf = (kycToken: string) =>
  sumsub.applicants.filter(({ externalUserId }) => externalUserId === kycToken);

async function kill(service: ServiceProcess): Promise<void> {
  service.kill("SIGKILL");
  await service.exited;
}

test("killed while a number is looked up: nothing is recorded, and the same Reference works again", async () => {
  const [first, second] = await Promise.all([start(), start()]);
  await second.client.token();
  const [reference, body] = [newReference(), bvn()];
  // The look-up is made, and its answer lost.
  sumsub.lateFaults = [undefined, hang];
  const call = verifyIndividual(first.client, body, { reference });
  const lost = expect(call).rejects.toThrow();
  await until("it is looked up", () => sumsub.applicants.at(-1)?.lookUps.length === 1);
  await kill(first);
  await lost;

  const stateOf = async () =>
    (await second.client.get(`/requests/${reference}`)).body.data.state as string;
  expect(await stateOf()).toBe("InProgress");
  const { rows } = await admin.query("select from kyc_verifications");
  expect(rows).toEqual([]);

  // Who retries before the lease is over waits for its end, and has time left to ask.
  const answer = await verifyIndividual(second.client, body, { reference });
  expect(verdict(answer)).toBe("200/000");
  const { kycToken, status } = answer.body.data;
  expect(status).toBe("Approved");
  // The question is recognised: there is one applicant, looked up once.
  expect(applicantsOf(kycToken).map(({ lookUps }) => lookUps.length)).toEqual([1]);
  expect(await typesOf(kycToken)).toEqual(["kyc.approved"]);
  expect(await stateOf()).toBe("Succeeded");
  expectRefusal(await verifyIndividual(second.client, body, { reference }), "400/139");
});

test.each<[string, number]>([
  ["before the provider hears of a document", 0],
  ["when the applicant is made", 1],
  ["when the image is uploaded", 2],
  ["when the check is requested", 3],
])("killed %s: another process carries on, and nothing is done twice", async (_when, answered) => {
  const first = await start();
  // So many requests are answered; the next is carried out and not answered, or not even begun.
  sumsub.faults = answered === 0 ? [hang] : [];
  sumsub.lateFaults = answered === 0 ? [] : [...Array(answered - 1).fill(undefined), hang];
  const { body } = await verifyIndividual(first.client, passport());
  const { kycToken } = body.data;
  await until("it hangs", () => sumsub.faults.length === 0 && sumsub.lateFaults.length === 0);
  await kill(first);

  const second = await start();
  expect((await statusOf(second.client, kycToken)).body.data.status).toBe("Initiated");
  await expireLeases();
  await untilStatus(second.client, kycToken, "Pending");
  const [applicant, ...others] = applicantsOf(kycToken);
  expect(others).toEqual([]);
  expect(applicant).toMatchObject({ reviewStatus: "pending" });
  expect(applicant?.uploads).toHaveLength(1);
  expect(await typesOf(kycToken)).toEqual(["kyc.initiated", "kyc.pending"]);
});

test("two processes share the work, and each verification is submitted by one", async () => {
  const [first, second] = await Promise.all([start(), start()]);
  const before = sumsub.calls.length;
  const tokens = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const { client } = n % 2 === 0 ? first : second;
      return (await verifyIndividual(client, passport())).body.data.kycToken as string;
    }),
  );
  for (const kycToken of tokens) {
    await untilStatus(first.client, kycToken, "Pending");
    expect(applicantsOf(kycToken)).toHaveLength(1);
    expect(await typesOf(kycToken)).toEqual(["kyc.initiated", "kyc.pending"]);
  }
  const made = sumsub.calls.slice(before).filter((call) => call === "POST /resources/applicants");
  expect(made).toHaveLength(tokens.length);
});

test("one Reference sent to two processes at once is one look-up and one effect", async () => {
  const [first, second] = await Promise.all([start(), start()]);
  await Promise.all([first.client.token(), second.client.token()]);
  for (let round = 0; round < 5; round++) {
    const [reference, body] = [newReference(), bvn()];
    const before = sumsub.applicants.length;
    const answers = await Promise.all(
      [first, second, first, second].map(({ client }) =>
        verifyIndividual(client, body, { reference }),
      ),
    );
    expect(answers.map(verdict).sort()).toEqual(["200/000", "400/139", "400/139", "400/139"]);
    expect(sumsub.applicants.length).toBe(before + 1);
    expect(sumsub.applicants.at(-1)?.lookUps).toHaveLength(1);
    const { rows } = await admin.query("select from events where client_reference = $1", [
      body.clientReference,
    ]);
    expect(rows).toHaveLength(1);
  }
});

test("a stop in the middle of a submission puts it back for others at once", async () => {
  const first = await start();
  sumsub.faults = [hang];
  const { body } = await verifyIndividual(first.client, passport());
  await until("it hangs", () => sumsub.faults.length === 0);
  first.kill("SIGTERM");
  expect((await first.exited).code).toBe(0);
  const second = await start();
  await untilStatus(second.client, body.data.kycToken, "Pending");
});
