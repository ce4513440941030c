import type { Florin } from "@florin/sdk";
import { CommandFailure } from "../exit.ts";
import type { Made } from "./actions.ts";
import { Decider } from "./decider.ts";
import type { Fields } from "./scenario.ts";

/** An answer of the service, of whatever kind. */
export type Data = Record<string, unknown>;

type Settings = Awaited<ReturnType<Florin["settings"]["getCardAuthorization"]>>;

const SETTINGS = "/settings/card-authorization";

/** What a scenario has made so far, and what has to be put back when it is over. */
export class World {
  readonly florin: Florin;
  readonly apiUrl: string;
  /** Those that the scenario did not ask for: apart, since a scenario may give any name to its own. */
  readonly unnamedCustomers = new Map<"Individual" | "Business", string>();
  readonly #run = crypto.randomUUID().slice(0, 8);
  readonly #made: Record<Made, Map<string, string>> = {
    card: new Map(),
    transaction: new Map(),
    customer: new Map(),
  };
  readonly #last: Partial<Record<Made, string>> = {};
  readonly #walletsBefore = new Map<string, number>();
  #decider: Decider | undefined;
  #settingsBefore: Settings | undefined;

  constructor(florin: Florin, apiUrl: string) {
    this.florin = florin;
    this.apiUrl = apiUrl;
  }

  remember(kind: Made, name: unknown, id: unknown): void {
    if (typeof id !== "string") return;
    this.#last[kind] = id;
    if (typeof name === "string") this.#made[kind].set(name, id);
  }

  /** The id behind a name, or of the last one made when no name is given. */
  idOf(kind: Made, name: unknown): string {
    const id = typeof name === "string" ? this.#made[kind].get(name) : this.#last[kind];
    if (id !== undefined) return id;
    throw new CommandFailure(`There is no ${kind} ${typeof name === "string" ? name : ""}`.trim());
  }

  /** Two runs of a story must not take each other's messages for repetitions. */
  named(body: Fields): Fields {
    const { networkReference } = body;
    if (typeof networkReference !== "string") return body;
    return { ...body, networkReference: `${this.#run}-${networkReference}` };
  }

  async noteWallets(): Promise<void> {
    for (const { currency, balance } of await this.florin.wallets.list()) {
      this.#walletsBefore.set(currency, balance);
    }
  }

  walletBefore(currency: string): number {
    return this.#walletsBefore.get(currency) ?? 0;
  }

  get decider(): Decider | undefined {
    return this.#decider;
  }

  /** Any call, whose answer is compared and not worked with. */
  async call(method: string, path: string, body?: object): Promise<Data> {
    const { envelope } = await this.florin.send(method, path, body === undefined ? {} : { body });
    return envelope.data as Data;
  }

  /** Lets a server of ours decide purchases, as the step says. */
  async decideHere(fields: Fields): Promise<Data> {
    this.#settingsBefore ??= await this.florin.settings.getCardAuthorization();
    this.#decider ??= await Decider.start(this.apiUrl);
    this.#decider.behave(fields);
    return this.call("PUT", SETTINGS, {
      model: "CustomerManaged",
      authorizationUrl: this.#decider.url,
      defaultAuthorizationDecision:
        fields.default === "AutoApprove" ? "AutoApprove" : "AutoDecline",
    });
  }

  decideThere(): Promise<Data> {
    return this.call("PUT", SETTINGS, { model: "ServiceManaged" });
  }

  /** Puts the organization's settings back as they were, and stops listening. */
  async close(): Promise<void> {
    try {
      const before = this.#settingsBefore;
      if (before !== undefined) await this.florin.settings.setCardAuthorization(before);
    } finally {
      this.#decider?.stop();
    }
  }
}
