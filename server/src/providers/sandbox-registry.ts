import {
  type BusinessSubmission,
  type CallbackReading,
  type DocumentSubmission,
  type Holder,
  type KycOutcome,
  type KycProvider,
  type NumberIdType,
  type NumberQuery,
  ProviderDown,
  ProviderSlow,
  type Submission,
} from "../customers/port.ts";
import { rejected } from "../customers/reject.ts";
import type { Clock } from "../foundation/clock.ts";

interface Person {
  numbers: Partial<Record<NumberIdType, string>>;
  firstName: string;
  lastName: string;
  dateOfBirth: string;
}

/** Everyone whom the sandbox knows; other well-formed numbers are not found. Documented for users. */
export const sandboxPeople: readonly Person[] = [
  {
    numbers: { BVN: "22222222222" },
    firstName: "Ada",
    lastName: "Obi",
    dateOfBirth: "1992-04-15",
  },
  {
    numbers: { NIN: "11111111111", vNIN: "AB12345678901234" },
    firstName: "Chinedu",
    lastName: "Okafor",
    dateOfBirth: "1990-01-31",
  },
  {
    numbers: { BVN: "22222222223", NIN: "11111111112", vNIN: "YA12345678901234" },
    firstName: "Yẹmí",
    lastName: "Adéṣínà",
    dateOfBirth: "1988-02-29",
  },
  {
    numbers: { BVN: "22222222224", NIN: "11111111113", vNIN: "HD12345678901234" },
    firstName: "Hauwa'u Amina",
    lastName: "Ɗan-Juma",
    dateOfBirth: "1979-12-01",
  },
];

/** Numbers that fail as a real registry may. */
export const sandboxFaults = {
  down: ["44444444444", "DN44444444444444"],
  slow: ["55555555555", "SL55555555555555"],
} as const;

/** The last name or registered name whose documents are rejected. */
export const SANDBOX_REJECTED_NAME = "Reject";

interface SandboxRegistryOptions {
  /** The service's clock: moving it forward brings documents to their end. */
  clock: Clock;
  /** How long documents and businesses stay Pending. */
  delayMs: number;
  /** How long a registry that is too slow is waited for. */
  deadlineMs?: number;
}

const DEFAULT_DEADLINE_MS = 9_000;
const RETRY_MS = 1_000;
const PROVIDER_ID = /^sandbox-(document|business)-(approve|reject)-(\d{1,15})$/;

/** A registry of invented people that needs no network and keeps no state. */
export class SandboxRegistry implements KycProvider {
  readonly name = "sandbox";
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #deadlineMs: number;

  constructor({ clock, delayMs, deadlineMs = DEFAULT_DEADLINE_MS }: SandboxRegistryOptions) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#deadlineMs = deadlineMs;
  }

  async verifyNumber({ idType, idNumber, signal }: NumberQuery): Promise<Holder> {
    const number = idNumber.toUpperCase();
    if (includes(sandboxFaults.down, number))
      throw new ProviderDown("The sandbox registry is down");
    if (includes(sandboxFaults.slow, number)) return neverAnswer(this.#deadlineMs, signal);
    const person = sandboxPeople.find(({ numbers }) => numbers[idType] === number);
    if (person === undefined) return { found: false };
    const { firstName, lastName, dateOfBirth } = person;
    return { found: true, firstName, lastName, dateOfBirth };
  }

  async submitDocument({ lastName }: DocumentSubmission): Promise<Submission> {
    return this.#submission("document", lastName);
  }

  async submitBusiness({ registeredName }: BusinessSubmission): Promise<Submission> {
    return this.#submission("business", registeredName);
  }

  async readOutcome(providerId: string): Promise<KycOutcome> {
    const [, kind, verdict, submittedAtMs] = PROVIDER_ID.exec(providerId) ?? [];
    if (kind === undefined) throw new ProviderDown("The sandbox registry knows no such id");
    if (this.#clock.nowMs() < Number(submittedAtMs) + this.#delayMs) return { status: "Pending" };
    if (verdict === "approve") return { status: "Approved" };
    return rejected([kind === "document" ? "UNREADABLE" : "NOT_FOUND"]);
  }

  /** The outcome is due to the millisecond, so the first question comes just then. */
  pollAfterMs(questions: number): number {
    return questions === 0 ? this.#delayMs : RETRY_MS;
  }

  /** Nobody calls a sandbox back: it is polled, or its simulator decides. */
  readCallback(): CallbackReading {
    return { kind: "Refused", reason: "BAD_SIGNATURE" };
  }

  /** The id itself says all that the outcome depends on. */
  #submission(kind: "document" | "business", name: string): Submission {
    const verdict = name.trim() === SANDBOX_REJECTED_NAME ? "reject" : "approve";
    return { providerId: `sandbox-${kind}-${verdict}-${this.#clock.nowMs()}` };
  }
}

/** Fails as too slow at the deadline, or when the caller gives up. */
export function neverAnswer(deadlineMs: number, signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const slow = (): void =>
      reject(new ProviderSlow("The sandbox registry did not answer in time"));
    if (signal?.aborted === true) return slow();
    const timer = setTimeout(slow, deadlineMs);
    const stop = (): void => {
      clearTimeout(timer);
      slow();
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function includes(numbers: readonly string[], number: string): boolean {
  return numbers.includes(number);
}
