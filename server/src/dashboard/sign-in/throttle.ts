import { addressKey } from "../../foundation/address.ts";
import { Failure } from "../../foundation/failure.ts";
import { TokenBuckets } from "../../foundation/token-bucket.ts";
import type { LinkKind } from "../onboarding/store.ts";

const buckets = (burst: number, ratePerS: number): TokenBuckets =>
  new TokenBuckets({ burst, ratePerS, maxKeys: 100_000, nowMs: () => performance.now() });

/** Who tries to sign in: as whom, from where, and whether from a browser that person has used before. */
export interface Attempt {
  account: string;
  ip: string;
  /** The browser's own key, if the person has signed in from it before. */
  knownDevice: string | undefined;
}

/**
 * Bounds wrong guesses. A stranger's are counted by address, and by account and address together: whoever
 * tries to lock a person out locks out only the address they try from. A browser that the person has
 * used before has a budget of its own, which strangers cannot spend.
 */
export class Throttle {
  readonly #byDevice = buckets(20, 1 / 10);
  readonly #byAccountAndAddress = buckets(10, 1 / 10);
  readonly #byAddress = buckets(60, 1 / 5);
  /** Second factors: who guesses these has the password or a session, from however many addresses. */
  readonly #codesByAccount = buckets(8, 1 / 60);
  readonly #lettersByAddress = buckets(30, 1 / 30);
  readonly #lettersByRecipient = buckets(4, 1 / 600);

  /**
   * Looks at a password, unless the budget is spent. A guess is counted before it is looked at, so that
   * guesses sent at once are counted as well; only a wrong one stays counted.
   */
  async tryPassword(attempt: Attempt, isRight: () => Promise<boolean>): Promise<boolean> {
    const budgets = this.#passwordBudgets(attempt);
    for (const [buckets, key] of budgets) refuse(buckets.peek(key));
    for (const [buckets, key] of budgets) buckets.take(key);
    const giveBack = (): void => {
      for (const [buckets, key] of budgets) buckets.take(key, -1);
    };
    const right = await isRight().catch((error: unknown) => {
      giveBack();
      throw error;
    });
    if (right) giveBack();
    return right;
  }

  /** Counts before the code is looked at, so that guesses sent at once are counted as well. */
  takeCode(attempt: Attempt): void {
    const [buckets, key] = this.#codeBudget(attempt);
    refuse(buckets.take(key));
  }

  /** Refuses an address that has asked for too many letters. */
  takeLetter(ip: string): void {
    refuse(this.#lettersByAddress.take(addressKey(ip)));
  }

  /**
   * Whether one more letter may go to a recipient, who has not asked for what strangers order in their name.
   * Each kind has a budget of its own, so that a flood of one keeps nobody from a letter of another.
   */
  mayWriteTo(recipient: string, kind: LinkKind): boolean {
    return this.#lettersByRecipient.take(`${kind} ${recipient}`).ok;
  }

  #passwordBudgets({ account, ip, knownDevice }: Attempt): [TokenBuckets, string][] {
    if (knownDevice !== undefined) return [[this.#byDevice, `${account} ${knownDevice}`]];
    const address = addressKey(ip);
    return [
      [this.#byAddress, address],
      [this.#byAccountAndAddress, `${account} ${address}`],
    ];
  }

  #codeBudget({ account, knownDevice }: Attempt): [TokenBuckets, string] {
    return knownDevice === undefined
      ? [this.#codesByAccount, account]
      : [this.#byDevice, `code ${account} ${knownDevice}`];
  }
}

function refuse(allowance: ReturnType<TokenBuckets["take"]>): void {
  if (allowance.ok) return;
  throw new Failure("NO_ACTION_TAKEN", {
    message: "Too many attempts; try again later",
    retryAfterS: allowance.retryAfterS,
  });
}
