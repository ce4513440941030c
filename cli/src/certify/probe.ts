import { setTimeout as pause } from "node:timers/promises";
import { reasonOf } from "../connection-failure.ts";
import { CommandFailure } from "../exit.ts";

const TIMEOUT_MS = 10_000;
const SETTLING_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/**
 * What the receiver knows, as it tells itself: a GET that answers JSON. `{cardId}` in the address stands for
 * the card of a check, so that a receiver can tell of one card alone.
 */
export class Probe {
  readonly #template: string;

  constructor(template: string) {
    this.#template = template;
  }

  /** Whether it can tell of one card alone. */
  get isPerCard(): boolean {
    return this.#template.includes("{cardId}");
  }

  async read(cardId: string): Promise<string> {
    const url = this.#template.replaceAll("{cardId}", encodeURIComponent(cardId));
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
      // A card that nobody has heard of may well be a 404.
      if (!answer.ok && answer.status !== 404) throw new Error(`it answered ${answer.status}`);
      return canonical(answer.status === 404 ? null : await answer.json());
    } catch (error) {
      throw new CommandFailure(`The probe ${url} tells nothing: ${reasonOf(error, TIMEOUT_MS)}`);
    }
  }

  /** Work may go on after the answer: waits until something differs from `before`, for a moment. */
  async readOnceChanged(cardId: string, before: string): Promise<string> {
    const deadline = Date.now() + SETTLING_MS;
    for (;;) {
      const now = await this.read(cardId);
      if (now !== before || Date.now() > deadline) return now;
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** Waits as long as a second effect may take, and reads then. */
  async readLater(cardId: string): Promise<string> {
    await pause(SETTLING_MS / 4);
    return this.read(cardId);
  }
}

/** The same text for the same content, whatever the order of its fields. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
}
