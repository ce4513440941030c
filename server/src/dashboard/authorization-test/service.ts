import { readAnswer } from "../../authorization/remote/answer.ts";
import type { CustomerManaged } from "../../authorization/remote/customer-managed.ts";
import type { RemoteMessage } from "../../authorization/remote/message.ts";
import { replyTo } from "../../authorization/remote/reply.ts";
import type { Pool } from "../../db/pool.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Failure } from "../../foundation/failure.ts";
import { newId } from "../../foundation/ids.ts";
import { audit } from "../audit/service.ts";
import type { Session } from "../sessions/session.ts";

const DEADLINE_MS = 400;
/** Fractions of a millisecond say nothing. */
const inTenths = (durationMs: number): number => Math.round(durationMs * 10) / 10;

export interface AuthorizationTestDeps {
  pool: Pool;
  clock: Clock;
  customerManaged: CustomerManaged;
}

/** Asks the Authorization URL about a purchase that nobody makes, and says how that went. */
export async function testAuthorizationUrl(
  { pool, clock, customerManaged }: AuthorizationTestDeps,
  by: Session,
  address: string,
) {
  const { organizationId } = by;
  const { managed } = await customerManaged.settings.read(organizationId);
  if (managed === undefined) {
    throw new Failure("TRANSACTION_NOT_PERMITTED", {
      message: "Save the customer-managed model with an Authorization URL first",
    });
  }
  const message = testMessage(clock.now());
  const outcome = await customerManaged.lines.ask(organizationId, managed, message);
  const read = readAnswer(outcome);
  const { decision, report } = replyTo(outcome, managed.defaultDecision);
  // A late answer decides nothing, but whoever tests wants to know how late it was.
  const last = outcome.isAnswer ? outcome : ((await outcome.late) ?? outcome);
  await audit(pool, clock, {
    ...by,
    action: "authorization_url.tested",
    subject: message.requestId,
    address,
  });
  return {
    decision,
    source: report.defaultUsed ? "Default" : "Answer",
    httpStatus: last.isAnswer ? last.status : null,
    latencyMs: inTenths(last.durationMs),
    deadlineMs: DEADLINE_MS,
    inTime: outcome.isAnswer && report.durationMs <= DEADLINE_MS,
    problem: "error" in read ? read.error : null,
  };
}

/** Marked for whoever receives it: its amount is zero, and its merchant says what it is. */
function testMessage(now: Date): RemoteMessage {
  const atMs = now.getTime();
  return {
    requestType: "Authorization",
    requestId: newId("req", atMs),
    transactionId: newId("txn", atMs),
    cardId: newId("card", atMs),
    customerId: newId("cus", atMs),
    amount: 0,
    currency: "USD",
    billingAmount: 0,
    billingCurrency: "USD",
    merchant: {
      mid: "FLORINTEST",
      mcc: "5999",
      name: "Test of your Authorization URL",
      city: "Nowhere",
      country: "US",
    },
    entryMode: "Ecommerce",
    createdAt: now.toISOString(),
  };
}
