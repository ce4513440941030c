import type { Command } from "commander";
import { show } from "../session.ts";
import { run } from "./action.ts";
import { DEFAULT_LIMIT, limitOf, oneOf, pageSize, take, trueOrFalse } from "./options.ts";
import { showList, transactionFacts, transactionTable } from "./present.ts";

const TYPES = [
  "Authorization",
  "PreAuthorization",
  "CashWithdrawal",
  "Settlement",
  "Refund",
  "InitialFunding",
  "TopUp",
  "Withdrawal",
  "Transfer",
  "CrossBorderCharge",
  "Regularization",
  "TerminationPayout",
] as const;

const STAGES = [
  "Authorization",
  "Settlement",
  "Reversal",
  "Refund",
  "Declined",
  "Expired",
  "Completed",
] as const;

interface ListOptions {
  card?: string;
  customer?: string;
  type?: (typeof TYPES)[number];
  stage?: (typeof STAGES)[number];
  approved?: boolean;
  currency?: string;
  from?: string;
  to?: string;
  limit: number;
}

export function addTransactions(program: Command): void {
  const transactions = program.command("transactions").description("List and show transactions");
  const list = transactions
    .command("list")
    .description("List transactions, newest first")
    .option("--card <cardId>")
    .option("--customer <customerId>")
    .option("--type <type>", `one of ${TYPES.join(", ")}`, oneOf(...TYPES))
    .option("--stage <stage>", `one of ${STAGES.join(", ")}`, oneOf(...STAGES))
    .option("--approved <answer>", "true, or false for those that were declined", trueOrFalse)
    .option("--currency <code>")
    .option("--from <time>", "such as 2026-01-31 or 2026-01-31T12:00:00Z")
    .option("--to <time>")
    .option("--limit <count>", "at most so many", limitOf, DEFAULT_LIMIT);
  run<ListOptions>(list, async (session, _args, options) => {
    const { card: cardId, customer: customerId, limit, ...filters } = options;
    const { type, stage, approved, currency, from, to } = filters;
    const which = { cardId, customerId, type, stage, approved, currency, from, to };
    const query = { ...which, limit: pageSize(limit) };
    const found = await take(session.florin.transactions.list(query), limit);
    showList(session, found, (data) => transactionTable(session.terminal, data));
  });
  const one = transactions
    .command("show")
    .argument("<transactionId>")
    .description("Show a transaction and how it was decided");
  run(one, async (session, [transactionId = ""]) => {
    const found = await session.florin.transactions.get(transactionId);
    show(session, found, () => transactionFacts(session.terminal, found));
  });
}
