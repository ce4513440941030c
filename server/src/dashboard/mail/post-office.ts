import type { Pool } from "../../db/pool.ts";
import type { Config } from "../../foundation/config/table.ts";
import type { Log } from "../../foundation/log.ts";
import { mailboxMailer } from "./mailbox.ts";
import type { Letter, Mailer } from "./port.ts";
import { smtpMailer } from "./smtp.ts";

const MAX_UNDER_WAY = 200;

type Settings = Pick<Config, "isSandbox" | "smtpUrl" | "mailSender">;

/** Whether letters are kept for everyone to read. Those that a mail server takes to their readers are not. */
export const hasMailbox = ({
  isSandbox,
  smtpUrl,
}: Pick<Config, "isSandbox" | "smtpUrl">): boolean => isSandbox && smtpUrl === undefined;

/** Writes letters in the background: how long it takes to answer must not tell whether an address is known. */
export class PostOffice {
  readonly #mailers: Mailer[];
  readonly #log: Log;
  readonly #underWay = new Set<Promise<void>>();

  constructor(pool: Pool, { isSandbox, smtpUrl, mailSender }: Settings, log: Log) {
    this.#log = log;
    this.#mailers = [
      ...(hasMailbox({ isSandbox, smtpUrl }) ? [mailboxMailer(pool)] : []),
      ...(smtpUrl === undefined ? [] : [smtpMailer(smtpUrl, mailSender)]),
    ];
  }

  /** Whether letters can be sent at all. */
  get isOpen(): boolean {
    return this.#mailers.length > 0;
  }

  /** Prepares a letter, or finds that there is none to write, and sends it. */
  post(write: () => Promise<Letter | undefined>): void {
    if (this.#underWay.size >= MAX_UNDER_WAY) {
      this.#log.warn("too many e-mails are under way; one was dropped");
      return;
    }
    const work = this.#send(write)
      .catch((error: unknown) => this.#log.warn({ err: error }, "an e-mail could not be sent"))
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
    for (const mailer of this.#mailers) mailer.close();
  }

  async #send(write: () => Promise<Letter | undefined>): Promise<void> {
    const letter = await write();
    if (letter === undefined) return;
    await Promise.all(this.#mailers.map((mailer) => mailer.send(letter)));
  }
}
