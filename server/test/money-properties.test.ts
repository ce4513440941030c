import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CodeName } from "../src/foundation/codes.ts";
import { createOrganization } from "../src/identity/organizations.ts";
import { openCustomer } from "./harness/customers.ts";
import { type Issuer, openIssuer, tickingClock } from "./harness/issuer.ts";
import {
  anyCommand,
  type Command,
  type Kind,
  learn,
  type Outcome,
  type Owner,
  placeOf,
  send,
} from "./harness/money-commands.ts";
import { expectSoundBooks } from "./harness/money-invariants.ts";
import { CROSS_BORDER_PERCENT, MoneyModel, type Prediction } from "./harness/money-model.ts";
import { scratchDatabase } from "./harness/scratch.ts";

/** A slow machine tries less, and a failure is not made smaller for ever. */
const BOUNDS = { numRuns: 30, interruptAfterTimeLimit: 20_000 };
const PATIENCE_MS = 120_000;

let database: Awaited<ReturnType<typeof scratchDatabase>>;
/** As many processes on one database. */
let issuers: [Issuer, Issuer];

beforeAll(async () => {
  database = await scratchDatabase();
  const clock = tickingClock();
  // So much that it often cannot be paid.
  const dear = { crossBorderRateBps: 100 * CROSS_BORDER_PERCENT };
  const open = () => openIssuer(database.url, clock, dear);
  issuers = [await open(), await open()];
});
afterAll(async () => {
  for (const issuer of issuers) await issuer.stop();
  await database.drop();
});

let requests = 0;
const nextReference = (): string => `r${++requests}`;

async function openOwner(): Promise<Owner> {
  const [issuer] = issuers;
  const settings = { name: "Any", customerManaged: false, defaultScopes: [] };
  const { organizationId, clientId } = await createOrganization(issuer, settings);
  return {
    organizationId,
    clientId,
    personId: await openCustomer(issuer.pool, organizationId),
    businessId: await openCustomer(issuer.pool, organizationId, { type: "Business" }),
    cardIds: [],
    paymentIds: [],
  };
}

/** What every owner begins with: some money, two cards and a lite card. */
const beginnings: readonly Omit<Command, "owner">[] = [
  beginning("deposit", 13_000),
  beginning("issue", 4000),
  beginning("issueEmpty", 0),
  beginning("issueLite", 1500),
];

function beginning(kind: Kind, cents: number): Omit<Command, "owner"> {
  const place = { issuer: 0, card: 2, other: 0, payment: 0 };
  return { kind, cents, ...place, isAbroad: false, isForeign: false, times: 1, name: undefined };
}

const anyRound = fc.array(anyCommand, { minLength: 8, maxLength: 40, size: "max" });
const anyRounds = fc.array(anyRound, { minLength: 3, maxLength: 8, size: "max" });

test(
  "whatever is asked for at once, no cent is made, lost or spent twice",
  async () => {
    const playAll = async (rounds: readonly Command[][]): Promise<void> => {
      const owners = [await openOwner(), await openOwner()];
      const outcomes: Outcome[] = [];
      const begun = beginnings.map((each) => owners.map((_, owner) => ({ ...each, owner })));
      for (const commands of [...begun, ...rounds]) {
        const sent = commands.map((each) => send({ issuers, owners }, each, nextReference()));
        const answered = (await Promise.all(sent)).flat();
        for (const outcome of answered) learn(outcome);
        outcomes.push(...answered);
      }
      await expectSoundBooks(issuers[0].pool, owners, outcomes);
    };
    await fc.assert(fc.asyncProperty(anyRounds, playAll), BOUNDS);
  },
  PATIENCE_MS,
);

/** Half dollars only, so that what it costs abroad is whole cents. */
const anyStep = anyCommand.map((command) => ({
  ...command,
  cents: (1 + (command.cents % 100)) * 50,
  owner: 0,
  isForeign: false,
  times: 1,
  name: undefined,
}));

test(
  "every answer and every balance is what the contract's story makes of it",
  async () => {
    const play = async (steps: readonly Command[]): Promise<void> => {
      const owner = await openOwner();
      const model = new MoneyModel();
      const outcomes: Outcome[] = [];
      for (const command of [...beginnings.map((each) => ({ ...each, owner: 0 })), ...steps]) {
        const expected = model.predict(command, placeOf(owner, command));
        const [outcome] = await send({ issuers, owners: [owner] }, command, nextReference());
        if (outcome === undefined) throw new Error("A command was not sent.");
        outcomes.push(outcome);
        learn(outcome);
        const { answer } = outcome;
        model.name({ cardId: answer?.cardId, paymentId: answer?.transactionId });
        const told = storyOf(outcomes);
        expect(verdictOf(outcome), told).toBe(expected);
        expect(await readBalances(owner), told).toEqual(balancesOf(model));
      }
      await expectSoundBooks(issuers[0].pool, [owner], outcomes);
    };
    const anySteps = fc.array(anyStep, { minLength: 30, maxLength: 80, size: "max" });
    await fc.assert(fc.asyncProperty(anySteps, play), BOUNDS);
  },
  PATIENCE_MS,
);

function verdictOf({ refused, answer }: Outcome): Prediction {
  const success: CodeName = "SUCCESS";
  return refused ?? (answer?.stage === "Declined" ? `Declined ${answer.responseCode}` : success);
}

const storyOf = (outcomes: readonly Outcome[]): string =>
  outcomes
    .map((outcome) => `${outcome.command.kind} ${outcome.command.cents}: ${verdictOf(outcome)}`)
    .join("\n");

async function readBalances({ organizationId }: Owner) {
  const { rows } = await issuers[0].pool.query(
    `select c.card_id as id, c.status, a.posted_minor::int as posted, a.held_minor::int as held
       from cards c join accounts a using (organization_id, account_id) where organization_id = $1
      union all
     select 'wallet', '', posted_minor::int, held_minor::int from accounts
      where organization_id = $1 and kind = 'Wallet'`,
    [organizationId],
  );
  return new Map(rows.map(({ id, ...balance }) => [id, balance]));
}

function balancesOf({ wallet, cards }: MoneyModel) {
  const balances = new Map([["wallet", { status: "", posted: wallet, held: 0 }]]);
  for (const [cardId, { status, account }] of cards) {
    balances.set(cardId, { status, posted: account.posted, held: account.held });
  }
  return balances;
}
