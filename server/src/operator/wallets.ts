import type { Core } from "../core.ts";
import { Engine } from "../engine/engine.ts";
import { type Currency, isCurrency } from "../foundation/currencies.ts";
import { Failure } from "../foundation/failure.ts";
import { decimalText, formatAmount } from "../foundation/money.ts";
import { type Adjusted, describeAdjustment } from "../wallets/adjustments/adjust.ts";
import { adjust } from "../wallets/adjustments/service.ts";
import { WalletIds } from "../wallets/service.ts";
import { readAmount } from "./amount.ts";
import {
  asJson,
  type Command,
  CommandError,
  type Invocation,
  json,
  readArguments,
  withCore,
} from "./command.ts";
import { expectOrganization } from "./expect-organization.ts";

const PARAMETERS = "<orgId> <currency> <amount> --reference R [--json]";
const REFERENCE = /^[\x21-\x7e]{1,64}$/;

export const creditWalletCommand: Command = {
  name: "wallet credit",
  parameters: PARAMETERS,
  summary: "Put money that arrived into an organization's wallet, once for each reference",
  run: (invocation) => changeWallet(invocation, 1n),
};

export const debitWalletCommand: Command = {
  name: "wallet debit",
  parameters: PARAMETERS,
  summary: "Take money that was paid out from an organization's wallet, once for each reference",
  run: (invocation) => changeWallet(invocation, -1n),
};

async function changeWallet(invocation: Invocation, sign: 1n | -1n): Promise<number> {
  const { organizationId, isJson, ...what } = readChange(invocation, sign);
  return withCore(invocation, async (core) => {
    await expectOrganization(core.pool, organizationId);
    try {
      const adjusted = await onEngine(core, (engine, walletIds) =>
        adjust({ ...core, engine, walletIds }, organizationId, what),
      );
      invocation.print(isJson ? asJson(wireOf(adjusted)) : outcomeOf(adjusted));
      return 0;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      invocation.print(isJson ? asJson(wireOfRefusal(error)) : refusalOf(error));
      return 1;
    }
  });
}

function readChange(invocation: Invocation, sign: 1n | -1n) {
  const { positionals, values } = readArguments(invocation, ["orgId", "currency", "amount"], {
    reference: { type: "string" },
    ...json,
  });
  const [organizationId, currency, amount] = positionals;
  const { reference } = values;
  if (typeof reference !== "string" || !REFERENCE.test(reference)) {
    throw new CommandError("--reference is 1 to 64 printable characters without spaces.");
  }
  const amountMinor = sign * readAmount(amount, readCurrency(currency));
  const isJson = values.json === true;
  return { organizationId, isJson, reference, currency: readCurrency(currency), amountMinor };
}

function readCurrency(text: string): Currency {
  if (!isCurrency(text)) throw new CommandError(`${text} is no ISO 4217 currency code.`);
  return text;
}

/** The same engine as the service's, for the moment: the lock of the wallet keeps the two apart. */
async function onEngine<T>(
  { databaseUrl, pool, clock }: Core,
  work: (engine: Engine, walletIds: WalletIds) => Promise<T>,
): Promise<T> {
  const engine = new Engine({
    connectionString: databaseUrl,
    name: "operator",
    lanes: 1,
    durable: true,
    clock,
  });
  try {
    return await work(engine, new WalletIds(pool, clock));
  } finally {
    await engine.stop();
  }
}

function outcomeOf({ isNew, adjustment, balanceMinor }: Adjusted): string {
  const { reference, walletId, currency, createdAt } = adjustment;
  const deed = `${describeAdjustment(adjustment)}, reference ${reference}`;
  const balance = `Wallet ${walletId} has ${decimalText(balanceMinor, currency)} ${currency}.`;
  return isNew
    ? `Done: ${deed}. ${balance}`
    : `Already done on ${createdAt.toISOString()}: ${deed}. Nothing was changed. ${balance}`;
}

function wireOf({ isNew, adjustment, balanceMinor }: Adjusted): object {
  const { reference, walletId, currency, amountMinor, createdAt } = adjustment;
  return {
    reference,
    walletId,
    currency,
    amount: formatAmount(amountMinor, currency),
    balance: formatAmount(balanceMinor, currency),
    createdAt,
    isNew,
  };
}

const wireOfRefusal = ({ message, response }: Failure): object => ({
  responseCode: response.code,
  responseMessage: message,
  finality: response.finality,
});

function refusalOf({ message, response }: Failure): string {
  return response.finality === "TerminalFailure"
    ? `Refused: ${message}. Nothing was changed.`
    : `${message}. Run the same command again: its reference works once.`;
}
