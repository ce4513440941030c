import type { Card, Event, Transaction } from "@florin/sdk";
import { type Session, show } from "../session.ts";
import { moneyText } from "../terminal/money.ts";
import { type Column, facts, table } from "../terminal/table.ts";
import type { Style, Terminal } from "../terminal/terminal.ts";

/** How cards, transactions and events look to people. */

type Shown = Transaction & { cardBalance?: number; walletBalance?: number };

const STATUS_STYLES: Readonly<Record<string, Style>> = {
  Active: "green",
  Frozen: "cyan",
  Terminated: "dim",
};

export const statusText = ({ style }: Terminal, status: string): string =>
  style(STATUS_STYLES[status] ?? "bold", status);

export const timeText = (iso: string): string => iso.replace("T", " ").replace(/\.\d+Z$/, "");

export function cardTable(terminal: Terminal, cards: readonly Card[]): string {
  if (cards.length === 0) return "There are no such cards.";
  const columns: Column<Card>[] = [
    { head: "card", cell: ({ cardId }) => cardId },
    { head: "status", cell: ({ status }) => statusText(terminal, status) },
    { head: "type", cell: ({ type }) => type },
    { head: "number", cell: ({ maskedPan }) => maskedPan },
    { head: "name", cell: ({ nameOnCard }) => nameOnCard },
    { head: "balance", align: "right", cell: (card) => moneyText(card.balance, card.currency) },
    {
      head: "available",
      align: "right",
      cell: (card) => moneyText(card.availableBalance, card.currency),
    },
  ];
  return table(terminal, columns, cards);
}

export function cardFacts(terminal: Terminal, card: Card & { pan?: string; cvv?: string }): string {
  const money = (amount: number): string => moneyText(amount, card.currency);
  const { dailyLimit, transactionLimit } = card.cardLimits;
  const list = (items: readonly string[]): string | undefined => items.join(", ") || undefined;
  const expiry = `${String(card.expiryMonth).padStart(2, "0")}/${card.expiryYear}`;
  return facts(terminal, [
    ["card", card.cardId],
    ["status", reasoned(statusText(terminal, card.status), card.terminationReason)],
    ["type", `${card.type}, ${card.brand}${card.contactlessPayment ? ", contactless" : ""}`],
    ["number", `${card.maskedPan}  ${expiry}`],
    ["whole number", card.pan],
    ["CVV", card.cvv],
    ["name", card.nameOnCard],
    ["customer", card.customerId],
    ["balance", reasoned(money(card.balance), card.sharedBalance ? "shared" : undefined)],
    ["held", money(card.heldAmount)],
    ["available", terminal.style("bold", money(card.availableBalance))],
    ["daily limit", dailyLimit === undefined ? undefined : money(dailyLimit)],
    ["per purchase", transactionLimit === undefined ? undefined : money(transactionLimit)],
    [
      "swipes",
      card.swipeCount === undefined ? undefined : `${card.swipesUsed} of ${card.swipeCount} used`,
    ],
    ["only MCCs", list(card.whiteListedMccs)],
    ["never MCCs", list(card.blackListedMccs)],
    ["only merchants", list(card.merchantWhitelist)],
    ["never merchants", list(card.merchantBlacklist)],
    ["created", timeText(card.createdAt)],
  ]);
}

const reasoned = (text: string, reason: string | undefined): string =>
  reason === undefined ? text : `${text} (${reason})`;

export function transactionTable(terminal: Terminal, transactions: readonly Transaction[]): string {
  if (transactions.length === 0) return "There are no such transactions.";
  const columns: Column<Transaction>[] = [
    { head: "transaction", cell: ({ transactionId }) => transactionId },
    { head: "at", cell: ({ createdAt }) => timeText(createdAt) },
    { head: "type", cell: ({ type }) => type },
    { head: "stage", cell: ({ stage }) => stage },
    { head: "answer", cell: (transaction) => verdict(terminal, transaction) },
    { head: "merchant", cell: ({ merchant }) => merchant?.name ?? "" },
    { head: "amount", align: "right", cell: ({ amount, currency }) => moneyText(amount, currency) },
    {
      head: "billed",
      align: "right",
      cell: ({ billingAmount, billingCurrency }) => moneyText(billingAmount, billingCurrency),
    },
  ];
  return table(terminal, columns, transactions);
}

function verdict(
  { style }: Terminal,
  { approved, responseCode, responseMessage }: Transaction,
): string {
  return approved ? style("green", "approved") : style("red", `${responseCode} ${responseMessage}`);
}

export function transactionFacts(terminal: Terminal, transaction: Shown): string {
  const { billingCurrency: currency } = transaction;
  const billed = (amount: number | undefined): string | undefined =>
    amount === undefined || amount === 0 ? undefined : moneyText(amount, currency);
  const own = moneyText(transaction.amount, transaction.currency);
  const isForeign = transaction.currency !== currency;
  const balance = (amount: number | undefined): string | undefined =>
    amount === undefined ? undefined : moneyText(amount, currency);
  const { merchant } = transaction;
  return facts(terminal, [
    ["transaction", transaction.transactionId],
    ["answer", terminal.style("bold", verdict(terminal, transaction))],
    ["type", transaction.type],
    ["stage", transaction.stage],
    ["card", transaction.cardId],
    ["amount", isForeign ? `${own}, billed ${balance(transaction.billingAmount)}` : own],
    [
      "merchant",
      merchant === null
        ? undefined
        : `${merchant.name}, ${merchant.city} ${merchant.country} (${merchant.mid}, ${merchant.mcc})`,
    ],
    ["held", billed(transaction.heldAmount)],
    [
      "settled",
      reasonedOr(
        billed(transaction.settledAmount),
        transaction.overCaptured ? "more than was held" : undefined,
      ),
    ],
    ["reversed", billed(transaction.reversedAmount)],
    ["refunded", billed(transaction.refundedAmount)],
    ["card balance", balance(transaction.cardBalance)],
    ["wallet balance", balance(transaction.walletBalance)],
    ["checks", traceText(terminal, transaction)],
    ["created", timeText(transaction.createdAt)],
  ]);
}

const reasonedOr = (text: string | undefined, reason: string | undefined): string | undefined =>
  text === undefined ? undefined : reasoned(text, reason);

/** Which check failed after which had passed; that a purchase passed them all needs no list. */
function traceText({ style }: Terminal, { decision }: Transaction): string | undefined {
  if (decision === undefined) return undefined;
  const { model, trace, remote } = decision;
  const passed = trace.filter(({ result }) => result === "Pass").length;
  const failed = trace.find(({ result }) => result === "Fail");
  const own =
    failed === undefined
      ? `${passed} passed`
      : `${passed} passed, ${style("red", failed.check)} failed`;
  if (remote === undefined) return own;
  const asked = remote.defaultUsed
    ? `the default decided after ${Math.round(remote.durationMs)} ms: ${remote.error ?? "no answer"}`
    : `your server decided in ${Math.round(remote.durationMs)} ms`;
  return `${own}; ${model}: ${asked}`;
}

export function eventLine({ style }: Terminal, event: Event): string {
  const { eventId, eventType, createdAt, sequence, data } = event;
  const about = [data.cardId, data.transactionId, event.clientReference].find(
    (id) => typeof id === "string",
  );
  const place = sequence === null ? "" : ` #${sequence}`;
  const time = style("dim", timeText(createdAt));
  return `${time}  ${style("cyan", eventType.padEnd(30))}  ${eventId}  ${about ?? ""}${place}`.trimEnd();
}

/** Shows a list with a word about what was left off. */
export function showList<T>(
  session: Session,
  { data, isCut }: { data: T[]; isCut: boolean },
  forPeople: (data: T[]) => string,
): void {
  const { terminal, isJson } = session;
  show(session, data, forPeople);
  if (isCut && !isJson) terminal.say(terminal.style("dim", "There are more: --limit shows them."));
}
