import { confirm } from "@clack/prompts";
import type { Command } from "commander";
import { exitCodes, usageFailure } from "../exit.ts";
import { type Session, show } from "../session.ts";
import { run } from "./action.ts";
import { moneyFor } from "./amount.ts";
import { addIssue } from "./issue.ts";
import { DEFAULT_LIMIT, limitOf, oneOf, pageSize, take } from "./options.ts";
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
  });
}

function addStatus(cards: Command, name: "freeze" | "unfreeze", description: string): void {
  const command = cards.command(name).argument("<cardId>").description(description);
  run(command, async (session, [cardId = ""]) => {
    const card = await session.florin.cards[name](cardId);
    show(session, card, () => cardFacts(session.terminal, card));
  });
}

function addTerminate(cards: Command): void {
  const command = cards
    .command("terminate")
    .argument("<cardId>")
    .description("Close a card for good; what is left goes to the wallet")
    .option("--reason <text>", "shown as the card's terminationReason")
    .option("--yes", "do not ask; needed where nobody can be asked");
  run<{ reason?: string; yes?: boolean }>(
    command,
    async (session, [cardId = ""], { reason, yes }) => {
      if (yes !== true && !(await isMeant(session, `Close ${cardId} for good?`)))
        return exitCodes.refused;
      const card = await session.florin.cards.terminate(
        cardId,
        reason === undefined ? {} : { reason },
      );
      show(session, card, () => cardFacts(session.terminal, card));
      return undefined;
    },
  );
}

/** Asks before what cannot be undone. Where nobody can answer, nothing is taken for a yes. */
async function isMeant({ terminal, isJson }: Session, message: string): Promise<boolean> {
  if (!terminal.isInteractive || isJson)
    throw usageFailure(
      "This cannot be undone, and there is nobody to ask: say --yes if you mean it.",
    );
  const answer = await confirm({ message, initialValue: false, output: process.stderr });
  return answer === true;
}

function addMoney(cards: Command, name: "top-up" | "withdraw", description: string): void {
  const command = cards
    .command(name)
    .argument("<cardId>")
    .argument("<amount>")
    .description(description);
  run(command, async (session, [cardId = "", text = ""]) => {
    const { amount } = await moneyFor(session, cardId, text);
    const { cards: api } = session.florin;
    const moved = await (name === "top-up"
      ? api.topUp(cardId, { amount })
      : api.withdraw(cardId, { amount }));
    show(session, moved, () => transactionFacts(session.terminal, moved));
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
    const { amount } = await moneyFor(session, sourceCardId, text);
    const moved = await session.florin.cards.transfer({ sourceCardId, beneficiaryCardId, amount });
    show(session, moved, () => transactionFacts(session.terminal, moved));
  });
}
