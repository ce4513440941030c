import { confirm, isCancel } from "@clack/prompts";
import type { Card } from "@florin/sdk";
import type { Command } from "commander";
import { sandboxCustomer } from "../account/sandbox-customer.ts";
import { exitCodes, usageFailure } from "../exit.ts";
import { florinCommand } from "../project.ts";
import { type Session, show } from "../session.ts";
import { readAmount } from "../terminal/money.ts";
import { run } from "./action.ts";
import {
  commaList,
  DEFAULT_LIMIT,
  limitOf,
  oneOf,
  pageSize,
  take,
  wholeNumber,
} from "./options.ts";
import { cardFacts, cardTable, showList, transactionFacts } from "./present.ts";

export function addCards(program: Command): void {
  const cards = program.command("cards").description("Issue, list, show and steer cards");
  addIssue(cards);
  addList(cards);
  addShow(cards);
  addStatus(cards, "freeze", "Stop purchases, withdrawals and transfers out");
  addStatus(cards, "unfreeze", "Let a frozen card work again");
  addTerminate(cards);
  addMoney(cards, "top-up", "Move money from the wallet to the card");
  addMoney(cards, "withdraw", "Move money from the card to the wallet");
  addTransfer(cards);
}

interface IssueOptions {
  type: "Retail" | "Corporate" | "Lite";
  customer?: string;
  balance?: string;
  currency: string;
  swipes?: number;
  dailyLimit?: string;
  transactionLimit?: string;
  allowMcc?: string[];
  blockMcc?: string[];
  contactless?: boolean;
  nameOnCard?: string;
}

function addIssue(cards: Command): void {
  const command = cards
    .command("issue")
    .description("Issue a card")
    .option(
      "--type <type>",
      "retail, corporate or lite",
      oneOf("Retail", "Corporate", "Lite"),
      "Retail",
    )
    .option("--customer <customerId>", "whose card it is; a sandbox makes one up unless given")
    .option("--balance <amount>", "moved from the wallet, such as 25.50")
    .option("--currency <code>", "of the card", "USD")
    .option(
      "--swipes <count>",
      "lite cards: how many purchases it allows",
      wholeNumber(1, 1_000_000),
    )
    .option("--daily-limit <amount>")
    .option("--transaction-limit <amount>")
    .option("--allow-mcc <codes>", "the only merchant categories, such as 5411,5812", commaList)
    .option("--block-mcc <codes>", "merchant categories that are declined", commaList)
    .option("--name-on-card <name>")
    .option("--contactless", "for contactless payment and device wallets");
  run<IssueOptions>(command, async (session, _args, options) => {
    const card = await issue(session, options);
    show(session, card, (issued) => cardFacts(session.terminal, issued));
    if (!session.isJson) {
      session.terminal.say(
        `\nBuy something with it: ${florinCommand} simulate authorize ${card.cardId} 25.50`,
      );
    }
    return undefined;
  });
}

async function issue({ florin, profile }: Session, options: IssueOptions): Promise<Card> {
  const { type, currency } = options;
  const amount = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : readAmount(text, currency);
  if (type === "Lite" && (options.balance === undefined || options.swipes === undefined)) {
    throw usageFailure("A lite card needs --balance and --swipes.");
  }
  if (type !== "Lite" && options.swipes !== undefined)
    throw usageFailure("--swipes is for lite cards.");
  const [dailyLimit, transactionLimit] = [
    amount(options.dailyLimit),
    amount(options.transactionLimit),
  ];
  const hasLimits = dailyLimit !== undefined || transactionLimit !== undefined;
  const balance = amount(options.balance);
  const common = {
    customerId: options.customer ?? (await sandboxCustomer(florin, profile.apiUrl, type)),
    currency,
    whiteListedMccs: options.allowMcc,
    blackListedMccs: options.blockMcc,
    ...(hasLimits ? { cardLimits: { dailyLimit, transactionLimit } } : {}),
  };
  if (type === "Lite") {
    return florin.cards.issueLite({
      ...common,
      balance: balance ?? 0,
      swipeCount: options.swipes ?? 0,
    });
  }
  const body = {
    ...common,
    initialBalance: balance,
    nameOnCard: options.nameOnCard,
    contactlessPayment: options.contactless,
  };
  return type === "Corporate" ? florin.cards.issueCorporate(body) : florin.cards.issueRetail(body);
}

interface ListOptions {
  status?: "Active" | "Frozen" | "Terminated";
  type?: "Retail" | "Corporate" | "Lite";
  customer?: string;
  currency?: string;
  from?: string;
  to?: string;
  limit: number;
}

function addList(cards: Command): void {
  const command = cards
    .command("list")
    .description("List cards, newest first")
    .option(
      "--status <status>",
      "active, frozen or terminated",
      oneOf("Active", "Frozen", "Terminated"),
    )
    .option("--type <type>", "retail, corporate or lite", oneOf("Retail", "Corporate", "Lite"))
    .option("--customer <customerId>")
    .option("--currency <code>")
    .option("--from <time>", "such as 2026-01-31 or 2026-01-31T12:00:00Z")
    .option("--to <time>")
    .option("--limit <count>", "at most so many", limitOf, DEFAULT_LIMIT);
  run<ListOptions>(command, async (session, _args, options) => {
    const { status, type, customer: customerId, currency, from, to, limit } = options;
    const query = { status, type, customerId, currency, from, to, limit: pageSize(limit) };
    const found = await take(session.florin.cards.list(query), limit);
    showList(session, found, (data) => cardTable(session.terminal, data));
    return undefined;
  });
}

function addShow(cards: Command): void {
  const command = cards
    .command("show")
    .argument("<cardId>")
    .description("Show a card; with --reveal its number and CVV as well")
    .option("--reveal", "print the whole number and the CVV; the service keeps a record of it");
  run<{ reveal?: boolean }>(command, async (session, [cardId = ""], { reveal }) => {
    const { florin, terminal } = session;
    const card = await (reveal === true
      ? florin.cards.getSecrets(cardId)
      : florin.cards.get(cardId));
    show(session, card, () => cardFacts(terminal, card));
    return undefined;
  });
}

function addStatus(cards: Command, name: "freeze" | "unfreeze", description: string): void {
  const command = cards.command(name).argument("<cardId>").description(description);
  run(command, async (session, [cardId = ""]) => {
    const card = await session.florin.cards[name](cardId);
    show(session, card, () => cardFacts(session.terminal, card));
    return undefined;
  });
}

function addTerminate(cards: Command): void {
  const command = cards
    .command("terminate")
    .argument("<cardId>")
    .description("Close a card for good; what is left goes to the wallet")
    .option("--reason <text>", "shown as the card's terminationReason")
    .option("--yes", "do not ask");
  run<{ reason?: string; yes?: boolean }>(
    command,
    async (session, [cardId = ""], { reason, yes }) => {
      if (session.terminal.isInteractive && yes !== true && !session.isJson) {
        const answer = await confirm({ message: `Close ${cardId} for good?`, initialValue: false });
        if (isCancel(answer) || !answer) return exitCodes.refused;
      }
      const card = await session.florin.cards.terminate(
        cardId,
        reason === undefined ? {} : { reason },
      );
      show(session, card, () => cardFacts(session.terminal, card));
      return undefined;
    },
  );
}

function addMoney(cards: Command, name: "top-up" | "withdraw", description: string): void {
  const command = cards
    .command(name)
    .argument("<cardId>")
    .argument("<amount>")
    .description(description);
  run(command, async (session, [cardId = "", text = ""]) => {
    const amount = await amountFor(session, cardId, text);
    const { cards: api } = session.florin;
    const moved = await (name === "top-up"
      ? api.topUp(cardId, { amount })
      : api.withdraw(cardId, { amount }));
    show(session, moved, () => transactionFacts(session.terminal, moved));
    return undefined;
  });
}

function addTransfer(cards: Command): void {
  const command = cards
    .command("transfer")
    .argument("<sourceCardId>")
    .argument("<beneficiaryCardId>")
    .argument("<amount>")
    .description("Move money from one card to another");
  run(command, async (session, [sourceCardId = "", beneficiaryCardId = "", text = ""]) => {
    const amount = await amountFor(session, sourceCardId, text);
    const moved = await session.florin.cards.transfer({ sourceCardId, beneficiaryCardId, amount });
    show(session, moved, () => transactionFacts(session.terminal, moved));
    return undefined;
  });
}

/** An amount is checked by the card's currency before anything is asked for. */
async function amountFor({ florin }: Session, cardId: string, text: string): Promise<number> {
  readAmount(text, "CLF"); // What is no amount in any currency needs no question to the service.
  const { currency } = await florin.cards.get(cardId);
  return readAmount(text, currency);
}
