import type { Card } from "@florin/sdk";
import type { Command } from "commander";
import { usageFailure } from "../exit.ts";
import { sandboxCustomer, withCustomer } from "../sandbox/customer.ts";
import { type Session, show } from "../session.ts";
import { exponentOf, readAmount } from "../terminal/money.ts";
import { run } from "./action.ts";
import { commaList, oneOf, wholeNumber } from "./options.ts";
import { cardFacts } from "./present.ts";

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

export function addIssue(cards: Command): void {
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
    .option("--name-on-card <name>", "not for lite cards")
    .option("--contactless", "for contactless payment and device wallets; not for lite cards");
  run<IssueOptions>(command, async (session, _args, options) => {
    expectFitting(options);
    const card = await issue(session, options);
    show(session, card, (issued) => cardFacts(session.terminal, issued));
    if (!session.isJson) session.terminal.say(`\n${nextStep(card, session.nextCommand)}`);
  });
}

/** What a type of card does not have is refused, not ignored. */
function expectFitting({ type, balance, swipes, contactless, nameOnCard }: IssueOptions): void {
  if (type !== "Lite") {
    if (swipes !== undefined) throw usageFailure("--swipes is for lite cards.");
    return;
  }
  if (balance === undefined || swipes === undefined)
    throw usageFailure("A lite card needs --balance and --swipes.");
  if (contactless === true) throw usageFailure("--contactless is not for lite cards.");
  if (nameOnCard !== undefined) throw usageFailure("--name-on-card is not for lite cards.");
}

async function issue(session: Session, options: IssueOptions): Promise<Card> {
  const { type, customer } = options;
  const controls = controlsOf(options);
  if (customer !== undefined) return issueTo(session, customer, options, controls);
  const usual = type === "Corporate" ? "florin-command-business" : "florin-command";
  return withCustomer(usual, async (clientReference) => {
    const { florin, profile } = session;
    const customerId = await sandboxCustomer(florin, profile.apiUrl, type, clientReference);
    return issueTo(session, customerId, options, controls);
  });
}

interface Controls {
  balance?: number | undefined;
  cardLimits?: { dailyLimit: number | undefined; transactionLimit: number | undefined };
}

/** Amounts are read before anything is asked for. */
function controlsOf(options: IssueOptions): Controls {
  const amount = (text: string | undefined): number | undefined =>
    text === undefined ? undefined : readAmount(text, options.currency);
  const [dailyLimit, transactionLimit] = [
    amount(options.dailyLimit),
    amount(options.transactionLimit),
  ];
  const hasLimits = dailyLimit !== undefined || transactionLimit !== undefined;
  return {
    balance: amount(options.balance),
    ...(hasLimits ? { cardLimits: { dailyLimit, transactionLimit } } : {}),
  };
}

function issueTo(
  { florin }: Session,
  customerId: string,
  options: IssueOptions,
  { balance, ...limits }: Controls,
): Promise<Card> {
  const { type, currency, swipes = 0, nameOnCard, contactless } = options;
  const common = {
    customerId,
    currency,
    whiteListedMccs: options.allowMcc,
    blackListedMccs: options.blockMcc,
    ...limits,
  };
  if (type === "Lite") {
    return florin.cards.issueLite({ ...common, balance: balance ?? 0, swipeCount: swipes });
  }
  const body = {
    ...common,
    initialBalance: balance,
    nameOnCard,
    contactlessPayment: contactless,
  };
  return type === "Corporate" ? florin.cards.issueCorporate(body) : florin.cards.issueRetail(body);
}

const TRIAL = { topUp: 50, purchase: 25 };

/** What can be done with a new card and will work: a card without money is given some first. */
export function nextStep(
  card: Pick<Card, "cardId" | "currency" | "availableBalance" | "cardLimits" | "whiteListedMccs">,
  command: string,
): string {
  const { cardId, currency, availableBalance, cardLimits, whiteListedMccs } = card;
  const hasMoney = availableBalance > 0;
  const { dailyLimit = TRIAL.purchase, transactionLimit = TRIAL.purchase } = cardLimits;
  const most = hasMoney ? Math.min(TRIAL.purchase, availableBalance) : TRIAL.purchase;
  const amount = Math.min(most, dailyLimit, transactionLimit).toFixed(exponentOf(currency));
  const [mcc] = whiteListedMccs;
  const where = mcc === undefined ? "" : ` --mcc ${mcc}`;
  const buy = `${command} simulate authorize ${cardId} ${amount}${where}`;
  if (hasMoney) return `Buy something with it: ${buy}`;
  const fund = `${command} cards top-up ${cardId} ${TRIAL.topUp}`;
  return `Put money on it, then buy something:\n  ${fund}\n  ${buy}`;
}
