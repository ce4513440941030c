import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Core } from "../src/core.ts";
import { changeOrganization } from "../src/identity/organizations.ts";
import { becomes, expectRefusal, verdict } from "./harness/answers.ts";
import { type ApiAnswer, newReference } from "./harness/api-client.ts";
import { foundOrganization, type Organization, openOperator } from "./harness/operator.ts";
import { sendSigned } from "./harness/raw-http.ts";
import { startTestService, type TestService } from "./harness/service.ts";

/** One thing that is wrong with an otherwise good deposit, and the answer to it. */
interface Fault {
  step: number;
  name: string;
  answer: string;
  headers?: Record<string, string>;
  path?: string;
  body?: string;
  token?: "CardSecrets";
  disabled?: true;
  exhausted?: true;
  reference?: "malformed" | "used up";
}

const DEPOSITS = "/simulator/wallets/deposits";
const GOOD_BODY = '{"currency":"USD","amount":1}';
const TOO_LARGE = GOOD_BODY.padEnd(256 * 1024 + 1, " ");
const ANOTHER_CLIENT = `ServiceAuth ${Buffer.from("cli_another").toString("base64")}`;

/** The table of the contract: line order is precedence. */
const faults: Fault[] = [
  { step: 1, name: "no good token", answer: "401/146", headers: { Authorization: "Bearer no" } },
  {
    step: 2,
    name: "another client's ServiceAuthorization",
    answer: "401/146",
    headers: { ServiceAuthorization: ANOTHER_CLIENT },
  },
  { step: 3, name: "a disabled organization", answer: "403/115", disabled: true },
  { step: 4, name: "a token without the scope", answer: "403/149", token: "CardSecrets" },
  { step: 5, name: "a wrong UniqueKey", answer: "401/113", headers: { UniqueKey: "wrong" } },
  { step: 6, name: "a malformed Reference", answer: "400/131", reference: "malformed" },
  { step: 7, name: "a wrong Signature", answer: "401/137", headers: { Signature: "wrong" } },
  { step: 8, name: "an exhausted rate limit", answer: "429/170", exhausted: true },
  { step: 9, name: "a used-up Reference", answer: "400/139", reference: "used up" },
  { step: 10, name: "a body that is not JSON", answer: "400/131", body: "{" },
  { step: 10, name: "an empty body", answer: "400/131", body: "" },
  { step: 10, name: "a body too large", answer: "400/131", body: TOO_LARGE },
  {
    step: 10,
    name: "a body of another type",
    answer: "400/131",
    headers: { "Content-Type": "text/plain" },
  },
  {
    step: 10,
    name: "an unknown field",
    answer: "400/131",
    body: GOOD_BODY.replace("}", ',"x":1}'),
  },
  { step: 10, name: "an unknown query field", answer: "400/131", path: `${DEPOSITS}?x=1` },
  {
    step: 10,
    name: "an unknown currency",
    answer: "400/131",
    body: GOOD_BODY.replace("USD", "XYZ"),
  },
  { step: 10, name: "an amount in text", answer: "400/111", body: GOOD_BODY.replace("1", '"1"') },
  { step: 10, name: "half a cent", answer: "400/111", body: GOOD_BODY.replace("1", "0.005") },
  // Not in the table: paths are told to those only who have passed it.
  { step: 11, name: "an unknown path", answer: "404/157", path: "/nowhere" },
];

/** An organization with a token for each scope, fetched while it could. */
interface Party extends Organization {
  tokens: { CardAPIs: string; CardSecrets: string };
}

let service: TestService;
let operator: Core;
let disabled: Party & { usedUp: string };
/** Serves all requests that are refused before they count for the rate limit. */
let enabled: Party & { usedUp: string };
beforeAll(async () => {
  service = await startTestService({ FLORIN_RATE_LIMIT_RPS: "2" });
  operator = await openOperator(service);
  enabled = await foundPartyWithUsedUpReference();
  disabled = await foundPartyWithUsedUpReference();
  await setStatus(disabled, "Disabled");
  await becomes(async () => verdict(await deposit(disabled, newReference())), "403/115");
});
afterAll(async () => {
  await operator.close();
  await service.stop();
});

async function foundParty(): Promise<Party> {
  const organization = await foundOrganization(operator, service);
  const tokenFor = async (scope: string): Promise<string> =>
    (await organization.client.requestToken({ scope })).body.access_token;
  const tokens = {
    CardAPIs: await tokenFor("CardAPIs"),
    CardSecrets: await tokenFor("CardSecrets"),
  };
  return { ...organization, tokens };
}

async function foundPartyWithUsedUpReference(): Promise<Party & { usedUp: string }> {
  const party = await foundParty();
  const usedUp = newReference();
  expect(verdict(await deposit(party, usedUp))).toBe("200/000");
  return { ...party, usedUp };
}

const setStatus = ({ organizationId }: Party, status: "Enabled" | "Disabled") =>
  changeOrganization(operator, organizationId, { status });

/** A deposit of 1.00, with everything about it that is wrong. */
function deposit(party: Party, reference: string, ...wrong: Fault[]): Promise<ApiAnswer> {
  const { path, body, token } = Object.assign(
    { path: DEPOSITS, body: GOOD_BODY, token: "CardAPIs" as const },
    ...wrong,
  ) as Required<Fault>;
  const headers = { Authorization: `Bearer ${party.tokens[token]}` };
  for (const fault of wrong) Object.assign(headers, fault.headers);
  return sendSigned(party.client, "POST", path, { reference, headers, body });
}

/** Sends until the rate limit stops it; all answers before that must be `expected`. */
async function untilLimited(send: () => Promise<ApiAnswer>, expected: string): Promise<ApiAnswer> {
  for (let i = 0; i < 100; i++) {
    const answer = await send();
    if (answer.status === 429) return answer;
    expect(verdict(answer)).toBe(expected);
  }
  throw new Error("The rate limit never set in.");
}

const pairs = faults.flatMap((earlier) =>
  faults
    .filter(({ step }) => step > earlier.step)
    // One Reference cannot be malformed and used up, and one request has one path.
    .filter((later) => !(earlier.reference && later.reference) && !(earlier.step >= 10))
    .map((later) => [earlier.name, later.name, earlier.answer, earlier, later] as const),
);

test.each(pairs)("%s outranks %s: %s", async (_earlier, _later, expected, earlier, later) => {
  const party = await partyFor(earlier, later);
  const reference = referenceFor(party, earlier.reference ?? later.reference);
  if (later.exhausted && !earlier.disabled) {
    await untilLimited(() => deposit(party, newReference()), "200/000");
  }
  const send = () => deposit(party, reference, earlier, later);
  const answer = earlier.exhausted ? await untilLimited(send, later.answer) : await send();

  expectRefusal(answer, expected);
  if (expected === "429/170") expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
});

async function partyFor(earlier: Fault, later: Fault): Promise<typeof enabled> {
  if (earlier.disabled || later.disabled) return disabled;
  const countsForRateLimit = earlier.step >= 8 || later.exhausted;
  return countsForRateLimit ? foundPartyWithUsedUpReference() : enabled;
}

function referenceFor(party: typeof enabled, kind: Fault["reference"]): string {
  if (kind === "malformed") return "r".repeat(31);
  return kind === "used up" ? party.usedUp : newReference();
}

describe("what is refused leaves no trace: the same Reference then works", () => {
  const repairable = faults.filter(
    ({ step, reference }) => step <= 10 && !reference && step !== 3 && step !== 8,
  );

  test.each(repairable.map((fault) => [fault.name, fault] as const))("%s", async (_name, fault) => {
    const party = await foundParty();
    const reference = newReference();
    expectRefusal(await deposit(party, reference, fault), fault.answer);
    const { body } = await party.client.get(`/requests/${reference}`);
    expect(body.data).toMatchObject({ reference, state: "Unknown" });
    expect(verdict(await deposit(party, reference))).toBe("200/000");
  });

  test("a disabled organization", async () => {
    const party = await foundParty();
    const reference = newReference();
    await setStatus(party, "Disabled");
    // Until the news has arrived other References are used, so that this one stays unused.
    await becomes(async () => verdict(await deposit(party, newReference())), "403/115");
    expectRefusal(await deposit(party, reference), "403/115");
    await setStatus(party, "Enabled");
    await becomes(async () => verdict(await deposit(party, reference)), "200/000");
  });

  test("an exhausted rate limit", async () => {
    const party = await foundParty();
    const references: string[] = [];
    const withNewReference = () => {
      const reference = newReference();
      references.push(reference);
      return deposit(party, reference);
    };
    await untilLimited(withNewReference, "200/000");
    const refused = references.at(-1) ?? "";
    await becomes(async () => verdict(await deposit(party, refused)), "200/000");
  });
});

test("a used-up Reference is refused in the words of the interface", async () => {
  const party = await foundParty();
  const reference = newReference();
  await deposit(party, reference);
  const answer = await deposit(party, reference);
  expectRefusal(answer, "400/139");
  expect(answer.body.responseMessage).toBe(
    "Reference value has already been seen in the last 24 hours",
  );
});
