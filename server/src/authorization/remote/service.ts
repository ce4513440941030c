import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Failure } from "../../foundation/failure.ts";
import { newId } from "../../foundation/ids.ts";
import type { Outcome } from "../../outbound/outcome.ts";
import type { Claim } from "../../references/claim.ts";
import { retryIfMessageKeyTaken } from "../../transactions/message-key.ts";
import type { DecidedPurchase } from "../outcome.ts";
import type { Purchase } from "../purchase.ts";
import type { ManagedArrangement } from "../settings/settings-book.ts";
import { readAnswer } from "./answer.ts";
import { closeQuestion } from "./close-question.ts";
import { type Conclusion, conclude } from "./conclude.ts";
import type { CustomerManaged } from "./customer-managed.ts";
import { noteLateAnswer } from "./late-answer.ts";
import { messageOfPurchase } from "./message.ts";
import { openQuestion } from "./open-question.ts";
import { isSilence, type Reply, replyTo } from "./reply.ts";

export interface RemoteDeps {
  clock: Clock;
  engine: Engine;
  customerManaged: CustomerManaged;
}

/** Lets an organization decide a purchase. A message that repeats meanwhile waits for the first. */
export function authorizeRemotely(
  deps: RemoteDeps,
  organizationId: string,
  purchase: Purchase,
  managed: ManagedArrangement,
  claim?: Claim,
): Promise<DecidedPurchase> {
  const { requestType, networkReference } = purchase;
  const name = `${organizationId} ${requestType} ${networkReference}`;
  return deps.customerManaged.turns.take(name, () =>
    askAndConclude(deps, organizationId, purchase, managed, claim),
  );
}

/** Nothing is open or locked while the organization is waited for. */
async function askAndConclude(
  deps: RemoteDeps,
  organizationId: string,
  purchase: Purchase,
  managed: ManagedArrangement,
  claim: Claim | undefined,
): Promise<DecidedPurchase> {
  const { engine, clock, customerManaged } = deps;
  const now = clock.now();
  const { requestType, card } = purchase;
  const requestId = newId("req", now.getTime());
  const reversalId = newId("req", now.getTime());
  const question = {
    requestId,
    accountId: card.accountId,
    cardId: card.cardId,
    reversal: messageOfPurchase(purchase, { requestType: "Reversal", requestId: reversalId }, now),
  };
  const { decided } = await retryIfMessageKeyTaken(() =>
    engine.run(openQuestion, organizationId, { purchase, question }, claim),
  );
  if (decided !== undefined) return decided;

  const message = messageOfPurchase(purchase, { requestType, requestId }, now);
  const outcome = await customerManaged.lines.ask(organizationId, managed, message);
  const reply = replyTo(outcome, managed.defaultDecision);
  const conclusion = { purchase, question, reply };
  const authorized = await record(deps, organizationId, conclusion, claim);
  if (isTakenBack(reply, authorized, purchase)) customerManaged.advices.wake();
  if (!outcome.isAnswer && outcome.late !== undefined) {
    const isOnlyAnswer = outcome.isSecondTry !== true;
    customerManaged.follow(hearLate(deps, organizationId, conclusion, outcome.late, isOnlyAnswer));
  }
  return authorized;
}

async function record(
  { engine, customerManaged }: RemoteDeps,
  organizationId: string,
  conclusion: Conclusion,
  claim: Claim | undefined,
): Promise<DecidedPurchase> {
  try {
    return await retryIfMessageKeyTaken(() =>
      engine.run(conclude, organizationId, conclusion, claim),
    );
  } catch (error) {
    // Refused for certain, as when another process used up the Reference. Otherwise the outcome is not known
    // yet.
    if (error instanceof Failure && error.codeName !== "SERVICE_MALFUNCTION") {
      const { question, reply } = conclusion;
      // An open question is taken back later, when no answer can come any more.
      if (!reply.isOpen) {
        const toClose = { question, sendsReversal: reply.isApproval };
        await engine.run(closeQuestion, organizationId, toClose);
        customerManaged.advices.wake();
      }
    }
    throw error;
  }
}

const isTakenBack = (reply: Reply, { transaction }: DecidedPurchase, purchase: Purchase): boolean =>
  reply.isApproval &&
  !(transaction.approved && transaction.transactionId === purchase.transactionId);

/**
 * Waits for an answer that comes after the decision: it is noted, and changes nothing. One that is no decision ends the
 * matter, unless another was lost before it.
 */
async function hearLate(
  { engine, customerManaged }: RemoteDeps,
  organizationId: string,
  { purchase, question }: Conclusion,
  late: Promise<Outcome>,
  isOnlyAnswer: boolean,
): Promise<void> {
  const outcome = await late;
  const read = readAnswer(outcome);
  if ("error" in read) {
    const isHeard = isOnlyAnswer && (outcome.isAnswer || !isSilence(outcome));
    const toClose = { question, sendsReversal: false };
    if (isHeard) await engine.run(closeQuestion, organizationId, toClose);
    return;
  }
  const { decision } = read.answer;
  const { card, transactionId } = purchase;
  const { requestId } = question;
  const answer = { card, transactionId, requestId, decision };
  const { sendsReversal } = await engine.run(noteLateAnswer, organizationId, answer);
  if (sendsReversal) customerManaged.advices.wake();
}
