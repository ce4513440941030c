import type { InjectFaultBody, Merchant } from "@florin/sdk";
import type { Command } from "commander";
import { exitCodes, usageFailure } from "../exit.ts";
import { show } from "../session.ts";
import { exactDurationText, readDuration } from "../terminal/duration.ts";
import { readAmount } from "../terminal/money.ts";
import { run } from "./action.ts";
import { moneyFor } from "./amount.ts";
import { oneOf, wholeNumber } from "./options.ts";
import { timeText, transactionFacts } from "./present.ts";
import { addScenario } from "./scenario.ts";
import { walletTable } from "./wallets.ts";

export function addSimulate(program: Command): void {
  const simulate = program
    .command("simulate")
    .description("Let a sandbox's card network, clock and wallets do something");
  addAuthorize(simulate);
  addFollowUp(simulate, "settle", "Capture a purchase, all that is held or the amount given");
  addFollowUp(simulate, "reverse", "Release what a purchase holds, or the amount given");
  addFollowUp(simulate, "refund", "Give back what was settled, or the amount given");
  addUnlinked(simulate, "force-post", "A settlement that nobody authorized");
  addUnlinked(simulate, "unlinked-refund", "A refund that belongs to no settlement");
  addDeposit(simulate);
  addClock(simulate);
  addFault(simulate);
  addScenario(simulate);
}

interface MerchantOptions {
  currency?: string;
  mid?: string;
  mcc?: string;
  merchant?: string;
  city?: string;
  country?: string;
}

const withMerchant = (command: Command): Command =>
  command
    .option("--currency <code>", "of the purchase; the card's unless given")
    .option("--mid <mid>", "the merchant's id")
    .option("--mcc <code>", "the merchant's category, such as 5411")
    .option("--merchant <name>", "the merchant's name")
    .option("--city <city>")
    .option("--country <code>", "where the merchant is, such as FR");

const DINER: Merchant = {
  mid: "DINER1",
  mcc: "5812",
  name: "Diner",
  city: "Austin",
  country: "US",
};

/** The merchant that was described, with a plain one for whatever was not said. */
function merchantOf({ mid, mcc, merchant: name, city, country }: MerchantOptions): {
  merchant?: Merchant;
} {
  const given = Object.entries({ mid, mcc, name, city, country }).filter(
    ([, value]) => value !== undefined,
  );
  return given.length === 0 ? {} : { merchant: { ...DINER, ...Object.fromEntries(given) } };
}

interface AuthorizeOptions extends MerchantOptions {
  type: "Authorization" | "PreAuthorization" | "CashWithdrawal";
  entryMode?: "Ecommerce" | "Chip" | "MagStripe" | "Contactless" | "DeviceWallet";
  cvv?: string;
  expiry?: string;
  networkReference?: string;
  dryRun?: boolean;
}

function addAuthorize(simulate: Command): void {
  const command = withMerchant(
    simulate
      .command("authorize")
      .argument("<cardId>")
      .argument("<amount>", "such as 25.50; 0 verifies the card")
      .description("Buy something; ends with 1 when it is declined"),
  )
    .option(
      "--type <type>",
      "Authorization, PreAuthorization or CashWithdrawal",
      oneOf("Authorization", "PreAuthorization", "CashWithdrawal"),
      "Authorization",
    )
    .option(
      "--entry-mode <mode>",
      "Ecommerce, Chip, MagStripe, Contactless or DeviceWallet",
      oneOf("Ecommerce", "Chip", "MagStripe", "Contactless", "DeviceWallet"),
    )
    .option("--cvv <digits>", "as the buyer types it")
    .option("--expiry <MM/YYYY>", "as the buyer types it")
    .option("--network-reference <text>", "the name of the network's message")
    .option("--dry-run", "say what would be decided, and change nothing");
  run<AuthorizeOptions>(command, async (session, [cardId = "", text = ""], options) => {
    const { florin, terminal } = session;
    const { type: requestType, entryMode, cvv, networkReference } = options;
    const money = await moneyFor(session, cardId, text, options.currency);
    const wanted = { cardId, ...money, requestType, entryMode, cvv, ...expiryOf(options.expiry) };
    const body = { ...wanted, ...merchantOf(options), networkReference };
    const decided =
      options.dryRun === true
        ? await florin.transactions.rehearse(body)
        : await florin.simulator.authorize(body);
    show(session, decided, () => transactionFacts(terminal, decided));
    return decided.approved ? exitCodes.ok : exitCodes.refused;
  });
}

function expiryOf(text: string | undefined): { expiryMonth?: number; expiryYear?: number } {
  if (text === undefined) return {};
  const match = /^(\d{1,2})\/(\d{4})$/.exec(text);
  if (match === null) throw usageFailure("--expiry is a month and a year, such as 09/2029.");
  return { expiryMonth: Number(match[1]), expiryYear: Number(match[2]) };
}

function addFollowUp(
  simulate: Command,
  name: "settle" | "reverse" | "refund",
  description: string,
): void {
  const command = simulate
    .command(name)
    .argument("<transactionId>")
    .argument("[amount]", "in the purchase's own currency")
    .description(description)
    .option("--network-reference <text>", "the name of the network's message");
  if (name === "settle") command.option("--partial", "more will follow: keep the rest held");
  type Options = { networkReference?: string; partial?: boolean };
  run<Options>(
    command,
    async (session, [transactionId = "", text], { networkReference, partial }) => {
      const { florin, terminal } = session;
      const currency =
        text === undefined ? "" : (await florin.transactions.get(transactionId)).currency;
      const amount = text === undefined ? undefined : readAmount(text, currency);
      const body = { amount, networkReference, ...(name === "settle" ? { partial } : {}) };
      const moved = await florin.simulator[name](transactionId, body);
      show(session, moved, () => transactionFacts(terminal, moved));
    },
  );
}

function addUnlinked(
  simulate: Command,
  name: "force-post" | "unlinked-refund",
  description: string,
): void {
  const command = withMerchant(
    simulate.command(name).argument("<cardId>").argument("<amount>").description(description),
  ).option("--network-reference <text>", "the name of the network's message");
  run<MerchantOptions & { networkReference?: string }>(
    command,
    async (session, [cardId = "", text = ""], options) => {
      const { simulator } = session.florin;
      const money = await moneyFor(session, cardId, text, options.currency);
      const body = {
        cardId,
        ...money,
        ...merchantOf(options),
        networkReference: options.networkReference,
      };
      const moved = await (name === "force-post"
        ? simulator.forcePost(body)
        : simulator.refundUnlinked(body));
      show(session, moved, () => transactionFacts(session.terminal, moved));
    },
  );
}

function addDeposit(simulate: Command): void {
  const command = simulate
    .command("deposit")
    .argument("<currency>")
    .argument("<amount>")
    .description("Put money into a wallet");
  run(command, async (session, [currency = "", text = ""]) => {
    const amount = readAmount(text, currency);
    const wallet = await session.florin.simulator.deposit({ currency, amount });
    show(session, wallet, () => walletTable(session.terminal, [wallet]));
  });
}

function addClock(simulate: Command): void {
  const command = simulate
    .command("clock")
    .argument("<duration...>", "how far: 90 seconds, 30m, 2h or 8 days; a bare number is seconds")
    .description("Move the sandbox's clock forward, for good");
  run(command, async (session, words) => {
    const seconds = readDuration(words.join(" "));
    if (seconds === undefined)
      throw usageFailure(
        'How far? Such as "90 seconds", "30m", "2h" or "8 days", 400 days at most.',
      );
    const moved = await session.florin.simulator.advanceClock({ seconds });
    const by = exactDurationText(seconds);
    show(session, moved, ({ now }) => `Moved by ${by}: it is now ${timeText(now)} in the sandbox.`);
  });
}

const FAULTS = [
  "DuplicateDeliveries",
  "DropDeliveries",
  "DelayDeliveries",
  "ReorderDeliveries",
  "CutConnection",
  "KycDown",
  "KycSlow",
  "None",
] as const;

function addFault(simulate: Command): void {
  const command = simulate
    .command("fault")
    .argument("<fault>", FAULTS.join(", "), oneOf(...FAULTS))
    .option("--count <count>", "how many times it strikes; 1 unless given", wholeNumber(1, 1_000))
    .option(
      "--seconds <seconds>",
      "DelayDeliveries: how late; 60 unless given",
      wholeNumber(1, 3_600),
    )
    .description("Let something go wrong for your side, to see what it does");
  run<FaultOptions>(command, async (session, [name], options) => {
    const set = await session.florin.simulator.injectFault(
      faultOf(name as (typeof FAULTS)[number], options),
    );
    const line = (one: (typeof set.faults)[number]): string => `${one.fault}: ${one.count} to come`;
    show(session, set, ({ faults }) => faults.map(line).join("\n") || "Nothing will go wrong.");
  });
}

interface FaultOptions {
  count?: number;
  seconds?: number;
}

function faultOf(fault: (typeof FAULTS)[number], options: FaultOptions): InjectFaultBody {
  const { count = 1, seconds = 60 } = options;
  if (fault !== "DelayDeliveries" && options.seconds !== undefined)
    throw usageFailure("--seconds is for DelayDeliveries.");
  if (fault === "None" && options.count !== undefined)
    throw usageFailure("--count is for faults: None ends them all.");
  if (fault === "None") return { fault };
  return fault === "DelayDeliveries" ? { fault, count, seconds } : { fault, count };
}
