import { expect, test } from "vitest";
import { newClaim } from "../../test/harness/claims.ts";
import type { Account } from "../ledger/accounts.ts";
import type { Claim, Known } from "../references/claim.ts";
import { decideBatch, type Job } from "./batch.ts";
import type { Operation } from "./operation.ts";

const NOW = new Date("2026-01-01T00:00:00.000Z");

/** Takes an amount out of a wallet, as long as it is there. */
const take: Operation<bigint, bigint> = {
  name: "take",
  accounts: () => ["wal_1"],
  decide: (view, amountMinor) => {
    const wallet = view.account("wal_1");
    if (wallet === undefined || wallet.postedMinor < amountMinor) {
      return { refused: "INSUFFICIENT_FUNDS", message: "Too poor" };
    }
    const posting = {
      entryId: "jrn_1",
      kind: "Deposit" as const,
      debitAccountId: "wal_1",
      creditAccountId: "Deposits:USD",
      amountMinor,
      currency: "USD" as const,
    };
    const event = { eventType: "wallet.taken", data: { amountMinor: String(amountMinor) } };
    return {
      effects: { postings: [posting], events: [event] },
      answer: wallet.postedMinor - amountMinor,
      resourceId: "wal_1",
    };
  },
};

const job = (input: bigint, claim?: Claim): Job => ({
  operation: take as Operation<unknown, unknown>,
  organizationId: "org_1",
  input,
  claim,
});

const known = (reference: string, change: Partial<Known> = {}): Known => ({
  clientId: "cli_1",
  reference,
  attempt: 1,
  state: "Succeeded",
  digest: null,
  completedAt: NOW,
  leaseLive: false,
  ...change,
});

const wallet = (postedMinor: bigint): Account => ({
  organizationId: "org_1",
  accountId: "wal_1",
  kind: "Wallet",
  currency: "USD",
  postedMinor,
  heldMinor: 0n,
  ctid: "(0,1)",
});

const decide = (jobs: Job[], balance: bigint, ...others: Known[]) =>
  decideBatch(jobs, { accounts: [wallet(balance)], rows: [], known: others, generation: 1 }, NOW);

const tables = ({ writes }: ReturnType<typeof decide>) => writes.map(({ name }) => name);

const answers = ({ verdicts }: ReturnType<typeof decide>) =>
  verdicts.map((verdict) => ("answer" in verdict ? verdict.answer : verdict.failure.codeName));

test("each operation sees what those before it did; a refusal leaves the view untouched", () => {
  const result = decide([job(60n), job(60n), job(40n), job(1n)], 100n);
  expect(answers(result)).toEqual([40n, "INSUFFICIENT_FUNDS", 0n, "INSUFFICIENT_FUNDS"]);
});

test("a refusal carries the operation's own words", () => {
  const [verdict] = decide([job(1n)], 0n).verdicts;
  expect(verdict).toMatchObject({ failure: { message: "Too poor" } });
});

test("a batch in which all is refused without a Reference writes nothing at all", () => {
  expect(decide([job(5n), job(6n)], 1n).writes).toEqual([]);
});

test("a refusal with a Reference writes its outcome and nothing else", () => {
  expect(tables(decide([job(5n, newClaim("R"))], 1n))).toEqual(["request_references_insert"]);
});

test("outcomes are written last, when all other locks are held", () => {
  expect(tables(decide([job(60n, newClaim("R"))], 100n))).toEqual([
    "accounts_save",
    "postings_insert",
    "events_insert",
    "event_log_insert",
    "request_references_insert",
  ]);
});

test("a used-up Reference is refused without being decided or recorded again", () => {
  const result = decide([job(60n, newClaim("used"))], 100n, known("used"));
  expect(answers(result)).toEqual(["DUPLICATE_REQUEST"]);
  expect(result.writes).toEqual([]);
});

test("a Reference that failed before is decided anew", () => {
  const before = known("again", { state: "Failed", attempt: 3, digest: Buffer.alloc(32, 1) });
  expect(answers(decide([job(60n, newClaim("again"))], 100n, before))).toEqual([40n]);
});

test("another client's Reference of the same name is another Reference", () => {
  const result = decide([job(60n, newClaim("R"))], 100n, known("R", { clientId: "cli_2" }));
  expect(answers(result)).toEqual([40n]);
});

test("a lost commit is recognized by a success, which stays as it is; a failure may be retried and replaced", () => {
  const { witness } = decide([job(500n, newClaim("refused")), job(1n, newClaim("done"))], 100n);
  expect(witness?.reference).toBe("done");
});

test("a request that is not over with its operation has its effects, and a Reference still to be settled", () => {
  const begin: Operation<bigint, bigint> = {
    ...take,
    decide: (...given) => ({ ...take.decide(...given), isUnsettled: true }),
  };
  const jobs = [
    { ...job(10n, newClaim("R-1")), operation: begin as Operation<unknown, unknown> },
    { ...job(10n, newClaim("R-2")), operation: begin as Operation<unknown, unknown> },
  ];
  const loaded = { accounts: [wallet(100n)], rows: [], known: [known("R-2")], generation: 1 };
  const { verdicts, writes, witness } = decideBatch(jobs, loaded, NOW);
  expect(verdicts[0]).toEqual({ answer: 90n, isUnsettled: true });
  expect(verdicts[1]).toMatchObject({ failure: { codeName: "DUPLICATE_REQUEST" } });
  expect(writes.map(({ name }) => name)).toEqual([
    "accounts_save",
    "postings_insert",
    "events_insert",
    "event_log_insert",
  ]);
  expect(witness).toBeUndefined();
});
