import type { ApiAnswer, ApiClient } from "../test/harness/api-client.ts";
import { inGroups } from "./groups.ts";
import type { Deed, Ledger } from "./ledger.ts";

/** Sends a deed and says what came of it; nothing is known when the service dies meanwhile. */
export async function send(client: ApiClient, deed: Deed): Promise<ApiAnswer | undefined> {
  const { path, body, reference } = deed;
  const answer = await client.post(path, body, { reference }).catch((error: unknown) => {
    // Whatever the network says; anything else is a mistake of ours.
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
    throw error;
  });
  return answer === undefined || answer.status >= 500 ? undefined : answer;
}

/** Notes an answer. A Reference that was never answered before cannot have been seen. */
export function note(deed: Deed, { status, body }: ApiAnswer, ledger: Ledger): void {
  if (status === 200) {
    deed.outcome = "Succeeded";
    ledger.count(deed, body.data);
  } else if (status === 422) {
    deed.outcome = "Refused";
  } else {
    throw new Error(`${deed.path} was answered with ${status}/${body.responseCode}`);
  }
}

/** What was answered is so, as the service remembers it. */
export async function checkAnswered(client: ApiClient, deeds: readonly Deed[]): Promise<void> {
  await inGroups(deeds, async ({ reference, outcome, path }) => {
    const state = await stateOf(client, reference);
    const expected = outcome === "Succeeded" ? "Succeeded" : "Failed";
    if (state.state !== expected) {
      throw new Error(`${path} (${reference}) was answered as ${expected} and is ${state.state}`);
    }
  });
}

/**
 * Sends what was never answered again, with the same Reference: what had happened is refused as seen, and
 * what had not happens now. Gives how many had happened.
 */
export async function finishUnanswered(
  client: ApiClient,
  deeds: readonly Deed[],
  ledger: Ledger,
): Promise<number> {
  const had = await inGroups(deeds, async (deed) => {
    const before = await stateOf(client, deed.reference);
    const again = await send(client, deed);
    if (again === undefined) throw new Error(`${deed.path} was not answered by a living service`);
    const hadHappened = before.state === "Succeeded";
    if ((again.body.responseCode === "139") !== hadHappened) {
      throw new Error(
        `${deed.path} (${deed.reference}) was ${before.state} and is answered ${again.status}/${again.body.responseCode}`,
      );
    }
    if (hadHappened) await countHappened(client, deed, before.resourceId, ledger);
    else note(deed, again, ledger);
    return hadHappened;
  });
  return had.filter(Boolean).length;
}

async function countHappened(
  client: ApiClient,
  deed: Deed,
  resourceId: string,
  ledger: Ledger,
): Promise<void> {
  deed.outcome = "Succeeded";
  const isPurchase = deed.kind === "buy";
  const { body } = isPurchase
    ? await client.get(`/transactions/${resourceId}`)
    : { body: { data: {} } };
  ledger.count(deed, body.data);
}

async function stateOf(
  client: ApiClient,
  reference: string,
): Promise<{ state: string; resourceId: string }> {
  return (await client.get(`/requests/${reference}`)).body.data;
}

/** Every balance and every payment is what the deeds that succeeded come to. */
export async function checkLedger(
  client: ApiClient,
  ledger: Ledger,
  touched: ReadonlySet<string>,
): Promise<void> {
  const { body } = await client.get("/wallets");
  expectSame("the wallet", { cents: toCents(body.data[0].balance) }, { cents: ledger.walletCents });
  await inGroups(ledger.balances, async ([cardId, cents]) => {
    const card = (await client.get(`/cards/${cardId}`)).body.data;
    expectSame(cardId, { cents: toCents(card.balance) }, { cents });
  });
  await inGroups([...touched], async (transactionId) => {
    const expected = ledger.payments.get(transactionId);
    const { data } = (await client.get(`/transactions/${transactionId}`)).body;
    const { isApproved, settled, reversed, refunded, messages } = expected ?? {};
    expectSame(
      transactionId,
      {
        isApproved: data.approved,
        settled: toCents(data.settledAmount),
        reversed: toCents(data.reversedAmount),
        refunded: toCents(data.refundedAmount),
        messages: data.events.length - 1,
      },
      { isApproved, settled, reversed, refunded, messages },
    );
  });
}

/** The network repeats itself when it hears nothing: each of its messages has one effect all the same. */
export async function checkRepetitions(client: ApiClient, deeds: readonly Deed[]): Promise<void> {
  await inGroups(deeds, async (deed) => {
    const { path, body } = deed;
    const answer = await client.post(path, body);
    if (answer.status !== 200) {
      throw new Error(`${path} repeated was answered ${answer.status}/${answer.body.responseCode}`);
    }
  });
}

function expectSame(what: string, actual: object, expected: object): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new Error(`${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

export const toCents = (amount: number): number => Math.round(amount * 100);
