import { signMessage } from "../webhook/message.ts";
import { type Delivery, isAccepted, post } from "../webhook/post.ts";
import { all, type Check, failed, passed, type Verdict } from "./check.ts";
import { forgeryChecks } from "./forgeries.ts";
import { latencyText } from "./latency.ts";
import { sampleQuestion } from "./samples.ts";

const DEADLINE_MS = 400;
const PATIENCE_MS = 5_000;

export interface AuthorizationTarget {
  url: string;
  key: Buffer;
  questions: number;
  concurrency: number;
}

type Question = Record<string, unknown>;

/** What a server that decides purchases must do. */
export function authorizationChecks({
  url,
  key,
  questions,
  concurrency,
}: AuthorizationTarget): Check[] {
  const ask = (question: Question): Promise<Delivery> =>
    post(url, signMessage(key, String(question.requestId), JSON.stringify(question)), {
      timeoutMs: PATIENCE_MS,
    });
  const decides = (question: Question) => async (): Promise<Verdict> =>
    decided(await ask(question));
  const sample = (): { id: string; body: string } => {
    const question = sampleQuestion("Authorization");
    return { id: String(question.requestId), body: JSON.stringify(question) };
  };
  return [
    { name: "decides a purchase", run: decides(sampleQuestion("Authorization")) },
    {
      name: "decides pre-authorizations, cash and verifications of 0.00",
      run: () =>
        all([
          decides(sampleQuestion("PreAuthorization")),
          decides(sampleQuestion("CashWithdrawal")),
          decides(sampleQuestion("Authorization", { amount: 0, billingAmount: 0 })),
        ]),
    },
    ...forgeryChecks(url, key, sample),
    {
      name: "decides although there are fields that it does not know",
      run: decides(sampleQuestion("Authorization", { addedLater: { nested: [1] } })),
    },
    { name: "answers a repeated question as it did the first time", run: () => answersAlike(ask) },
    {
      name: "accepts advice of what happened, also for a second time",
      run: () => acceptsAdvice(ask),
    },
    {
      name: "accepts the reversal of something that it has never heard of",
      run: async () => acceptedAdvice(await ask(sampleQuestion("Reversal"))),
    },
    {
      name: `answers within ${DEADLINE_MS} ms, ${questions} questions, ${concurrency} at a time`,
      run: () => keepsUp(ask, questions, concurrency),
    },
  ];
}

/** The decision in an answer; undefined if the service would take it for no answer. */
function decisionIn({ status, text }: Delivery): string | undefined {
  if (status !== 200) return undefined;
  try {
    const { decision } = JSON.parse(text) as { decision?: unknown };
    return decision === "Approve" || decision === "Decline" ? decision : undefined;
  } catch {
    return undefined;
  }
}

function decided(delivery: Delivery): Verdict {
  const { status, error, durationMs } = delivery;
  if (status === undefined) return failed(`no answer: ${error}`);
  const decision = decisionIn(delivery);
  if (decision !== undefined) return passed(`${decision} in ${Math.round(durationMs)} ms`);
  if (status !== 200) return failed(`answered ${status}; a decision has the status 200`);
  return failed('its body is not { "decision": "Approve" } or { "decision": "Decline" }');
}

async function answersAlike(ask: (question: Question) => Promise<Delivery>): Promise<Verdict> {
  const question = sampleQuestion("Authorization");
  const answers = [await ask(question), ...(await Promise.all([ask(question), ask(question)]))];
  const undecided = answers.find((answer) => decisionIn(answer) === undefined);
  if (undecided !== undefined) return decided(undecided);
  const decisions = answers.map(decisionIn);
  return new Set(decisions).size === 1
    ? passed(`${decisions[0]}, three times`)
    : failed(`it said ${decisions.join(", ")} to the same requestId`);
}

function acceptedAdvice({ status, error }: Delivery): Verdict {
  if (status === undefined) return failed(`no answer: ${error}`);
  if (status >= 200 && status < 300) return passed(`answered ${status}`);
  return failed(`answered ${status}; it has happened, and is told again until a 2xx`);
}

async function acceptsAdvice(ask: (question: Question) => Promise<Delivery>): Promise<Verdict> {
  const purchase = sampleQuestion("Authorization");
  await ask(purchase);
  const { transactionId, cardId, customerId } = purchase;
  const advices = ["PartialReversal", "Settlement", "Refund", "Reversal"].map((requestType) =>
    sampleQuestion(requestType, { transactionId, cardId, customerId, amount: 5, billingAmount: 5 }),
  );
  return all(
    advices.flatMap((advice) => [1, 2].map(() => async () => acceptedAdvice(await ask(advice)))),
  );
}

async function keepsUp(
  ask: (question: Question) => Promise<Delivery>,
  questions: number,
  concurrency: number,
): Promise<Verdict> {
  const answers: Delivery[] = [];
  let asked = 0;
  const lane = async (): Promise<void> => {
    while (asked < questions) {
      asked += 1;
      answers.push(await ask(sampleQuestion("Authorization")));
    }
  };
  // The service asks on connections that are open already, so each lane opens its own first.
  await Promise.all(
    Array.from({ length: concurrency }, () => ask(sampleQuestion("Authorization"))),
  );
  await Promise.all(Array.from({ length: concurrency }, lane));
  const late = answers.filter(({ durationMs }) => durationMs > DEADLINE_MS).length;
  const wrong = answers.filter(
    (answer) => !isAccepted(answer) || decisionIn(answer) === undefined,
  ).length;
  const times = latencyText(answers.map(({ durationMs }) => durationMs));
  if (late === 0 && wrong === 0) return passed(times);
  return failed(`${late} came too late, ${wrong} were no decision; ${times}`);
}
