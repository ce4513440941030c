import { promises as dns, type LookupAddress } from "node:dns";
import { Gate } from "../foundation/gate.ts";
import { isLocalName } from "./url.ts";

const REMEMBERED_MS = 30_000;
const MAX_REMEMBERED = 10_000;
/** Only so many threads look names up, and files need them too. */
const MAX_SYSTEM_LOOKUPS = 2;

/** Finds the addresses of a name. */
export type Resolve = (name: string) => Promise<LookupAddress[]>;

interface Remembered {
  addresses: LookupAddress[];
  untilMs: number;
}

/**
 * Asks the name servers directly: through the system a few names that nobody answers for would hold up
 * all others, because it looks up four at a time. Names that only this machine knows are left to it.
 */
export class Names {
  readonly #servers = new dns.Resolver({ timeout: 1_500, tries: 2 });
  readonly #remembered = new Map<string, Remembered>();
  readonly #asked = new Map<string, Promise<LookupAddress[]>>();
  readonly #system = new Gate({
    maxInside: MAX_SYSTEM_LOOKUPS,
    maxInsidePerKey: 1,
    maxWaiting: 1_000,
    patienceMs: 5_000,
  });

  readonly resolve: Resolve = async (name) => {
    const remembered = this.#remembered.get(name);
    if (remembered !== undefined && remembered.untilMs > performance.now()) {
      return remembered.addresses;
    }
    const asked = this.#asked.get(name) ?? this.#ask(name);
    this.#asked.set(name, asked);
    return asked;
  };

  async #ask(name: string): Promise<LookupAddress[]> {
    try {
      const found = isLocalName(name) ? [] : await this.#askServers(name);
      const addresses = found.length > 0 ? found : await this.#askSystem(name);
      this.#remember(name, addresses);
      return addresses;
    } finally {
      this.#asked.delete(name);
    }
  }

  async #askServers(name: string): Promise<LookupAddress[]> {
    const [four, six] = await Promise.allSettled([
      this.#servers.resolve4(name),
      this.#servers.resolve6(name),
    ]);
    const all = (answer: PromiseSettledResult<string[]>, family: number): LookupAddress[] =>
      answer.status === "fulfilled" ? answer.value.map((address) => ({ address, family })) : [];
    return [...all(four, 4), ...all(six, 6)];
  }

  async #askSystem(name: string): Promise<LookupAddress[]> {
    const leave = await this.#system.enter(name, NEVER);
    try {
      return await dns.lookup(name, { all: true });
    } finally {
      leave();
    }
  }

  #remember(name: string, addresses: LookupAddress[]): void {
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(name, { addresses, untilMs: performance.now() + REMEMBERED_MS });
  }
}

const NEVER = new AbortController().signal;
