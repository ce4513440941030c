import type { DecidedPurchase } from "../../authorization/outcome.ts";
import type { Cleared } from "../../clearing/finish.ts";
import { codes } from "../../foundation/codes.ts";
import { type Account, availableMinor } from "../../ledger/accounts.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import { writeAvailableBalance } from "../iso8583/elements/additional-amounts.ts";
import { writeBillingAmount } from "../iso8583/elements/amounts.ts";
import type { FieldNumber, Message } from "../iso8583/fields.ts";
import { answerMtiOf } from "../iso8583/message-types.ts";
import { networkResponseOf } from "../iso8583/response.ts";

/** What is answered to a message. */
export interface Reply {
  /** Ours; the network hears what stands beside it in iso8583/response. */
  responseCode: string;
  approvalCode?: string | null;
  transaction?: Transaction;
  /** The card's own, for the balance. */
  account?: Account;
}

export const ACCEPTED: Reply = { responseCode: codes.SUCCESS.code };

export const replyToPurchase = ({ transaction, account }: DecidedPurchase): Reply => ({
  responseCode: transaction.responseCode,
  approvalCode: transaction.approvalCode,
  transaction,
  account,
});

export const replyToFollowUp = ({ transaction, account }: Cleared): Reply => ({
  ...ACCEPTED,
  transaction,
  account,
});

/** What an answer repeats of its message. */
const echoed: readonly FieldNumber[] = [2, 3, 4, 7, 11, 12, 13, 32, 37, 41, 42, 49, 70, 90];

const INSUFFICIENT = networkResponseOf(codes.INSUFFICIENT_FUNDS.code);
const MOST_MINOR = 999_999_999_999n;
const APPROVAL_CODE_LENGTH = 6;

/** The answer as it goes out; nothing where the message is one that nobody answers. */
export function answerTo(message: Message, reply: Reply): Message | undefined {
  const mti = answerMtiOf(message.mti);
  if (mti === undefined) return undefined;
  const fields: Answer = {};
  for (const number of echoed) {
    const value = message.fields[number];
    if (value !== undefined) fields[number] = value;
  }
  fields[39] = networkResponseOf(reply.responseCode);
  if (fields[39] === "00") tellApproval(fields, reply, message);
  if (fields[39] === INSUFFICIENT) tellLack(fields, reply);
  return { mti, fields };
}

/** Fields that are still being filled in. */
type Answer = { -readonly [Number in FieldNumber]?: string };

/** What only an approval tells: its code, what is billed where that is another currency, and what is left. */
function tellApproval(
  fields: Answer,
  { approvalCode, transaction, account }: Reply,
  message: Message,
): void {
  if (approvalCode) fields[38] = approvalCode.padEnd(APPROVAL_CODE_LENGTH);
  const isAboutPart = message.fields[95] !== undefined;
  if (transaction !== undefined && !isAboutPart) tellBilling(fields, transaction);
  if (account !== undefined) tellBalance(fields, account);
}

/** A message about a part of the payment, or about more, is not billed what the payment is. */
function tellBilling(fields: Answer, transaction: Transaction): void {
  const { amountMinor, billingRate, billingAmountMinor, billingCurrency } = transaction;
  if (billingRate === null || billingAmountMinor > MOST_MINOR) return;
  if (fields[4] !== undefined && BigInt(fields[4]) !== amountMinor) return;
  Object.assign(fields, writeBillingAmount(billingAmountMinor, billingCurrency));
}

/** A decline for lack of funds tells what is available, if it is the card's own money that is short. */
function tellLack(fields: Answer, { transaction, account }: Reply): void {
  if (account !== undefined && transaction?.accountId === account.accountId) {
    tellBalance(fields, account);
  }
}

function tellBalance(fields: Answer, account: Account): void {
  const leftMinor = availableMinor(account);
  if (leftMinor > MOST_MINOR || leftMinor < -MOST_MINOR) return;
  fields[54] = writeAvailableBalance(leftMinor, account.currency);
}
