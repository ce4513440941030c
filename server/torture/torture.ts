import { setTimeout as pause } from "node:timers/promises";
import type { ApiClient } from "../test/harness/api-client.ts";
import { bvn } from "../test/harness/kyc.ts";
import {
  checkAnswered,
  checkLedger,
  checkRepetitions,
  finishUnanswered,
  note,
  send,
  toCents,
} from "./checks.ts";
import { think } from "./deeds.ts";
import { type Deed, Ledger } from "./ledger.ts";
import { Random } from "./random.ts";
import { ACCIDENTS, Victim } from "./victim.ts";

const CARDS = 9;
/** Of these, so many have another card beside them that spends from the same balance. */
const SHARED = 3;
const CARD_BALANCE = 500;
const MIN_LOAD_MS = 300;
const MAX_LOAD_MS = 2_500;
/** How long a start takes at most before it is killed, too. */
const MAX_START_MS = 1_500;

export interface Summary {
  kills: number;
  answered: number;
  unanswered: number;
  hadHappened: number;
}

/** Kills a working service again and again, and looks each time whether anything was lost or happened twice. */
export class Torture {
  /** For accidents; senders have their own, so that they do not change what happens when. */
  readonly #plan: Random;
  readonly #senders: Random[];
  readonly #say: (line: string) => void;
  readonly #ledger = new Ledger();
  readonly #victim = new Victim();
  readonly #summary: Summary = { kills: 0, answered: 0, unanswered: 0, hadHappened: 0 };
  #cardIds: string[] = [];

  constructor(options: { seed: number; senders: number }, say: (line: string) => void) {
    this.#plan = new Random(options.seed);
    this.#senders = Array.from({ length: options.senders }, (_, n) => new Random(options.seed + n));
    this.#say = say;
  }

  async run(kills: number): Promise<Summary> {
    let { client } = await this.#victim.start();
    await this.#prepare(client);
    for (let kill = 1; kill <= kills; kill++) {
      client = await this.#round(client, `${kill}/${kills}`);
      this.#summary.kills += 1;
    }
    await checkLedger(client, this.#ledger, new Set(this.#ledger.payments.keys()));
    await this.#victim.stop();
    return this.#summary;
  }

  /** Cards with money, by the way that clients have. */
  async #prepare(client: ApiClient): Promise<void> {
    const { customerId } = (await client.post("/kyc/individual", bvn())).body.data;
    for (let n = 0; n < CARDS; n++) {
      const body = { customerId, initialBalance: CARD_BALANCE };
      const { cardId } = (await client.post("/cards/retail", body)).body.data;
      this.#cardIds.push(cardId);
      this.#ledger.open(cardId, CARD_BALANCE * 100);
    }
    for (const cardId of this.#cardIds.slice(0, SHARED)) {
      const body = { customerId, sharedBalance: true, cardId };
      const guest = (await client.post("/cards/reissue", body)).body.data;
      this.#cardIds.push(guest.cardId);
      this.#ledger.share(guest.cardId, cardId);
    }
    const { body } = await client.get("/wallets");
    this.#ledger.walletCents = toCents(body.data[0].balance);
  }

  async #round(client: ApiClient, number: string): Promise<ApiClient> {
    const plan = this.#plan;
    const loadMs = plan.between(MIN_LOAD_MS, MAX_LOAD_MS);
    const accident = plan.pick(ACCIDENTS);
    const deeds = await this.#work(client, () => this.#strike(accident, loadMs));
    const answered = deeds.filter(({ outcome }) => outcome !== "Unknown");
    const unanswered = deeds.filter(({ outcome }) => outcome === "Unknown");

    if (plan.next() < 0.2) await this.#victim.killAtStart(plan.between(0, MAX_START_MS));
    const living = (await this.#victim.start()).client;
    await this.#audit();
    await checkAnswered(living, answered);
    const hadHappened = await finishUnanswered(living, unanswered, this.#ledger);
    await checkRepetitions(living, repeatable(deeds));
    await checkLedger(living, this.#ledger, touchedBy(deeds));
    await this.#audit();

    this.#summary.answered += answered.length;
    this.#summary.unanswered += unanswered.length;
    this.#summary.hadHappened += hadHappened;
    this.#say(
      `kill ${number}: ${accident}, after ${loadMs} ms. ${answered.length} requests were answered; of ` +
        `${unanswered.length} that were not, ${hadHappened} had happened. Nothing is lost, nothing happened twice.`,
    );
    return living;
  }

  /** Sends one deed after another, many at the same time, until the service is gone. */
  async #work(client: ApiClient, strike: () => Promise<void>): Promise<Deed[]> {
    await client.token();
    const deeds: Deed[] = [];
    let isOver = false;
    const sender = async (random: Random, index: number): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const reference = `${this.#summary.kills}-${index}-${n}`;
        const deed = think(random, reference, this.#cardIds, this.#ledger);
        deeds.push(deed);
        const answer = await send(client, deed);
        if (answer !== undefined) note(deed, answer, this.#ledger);
      }
    };
    const senders = Promise.all(this.#senders.map(sender));
    await Promise.race([strike(), senders]);
    isOver = true;
    await senders;
    return deeds;
  }

  async #strike(accident: (typeof ACCIDENTS)[number], afterMs: number): Promise<void> {
    await pause(afterMs);
    await this.#victim.kill(accident, this.#plan);
  }

  async #audit(): Promise<void> {
    const problem = await this.#victim.audit();
    if (problem !== undefined) throw new Error(`The books do not hold:\n${problem}`);
  }
}

/** Network messages that succeeded, in case somebody sends them again. */
const repeatable = (deeds: readonly Deed[]): Deed[] =>
  deeds
    .filter(({ body, outcome }) => outcome === "Succeeded" && "networkReference" in body)
    .slice(-100);

const touchedBy = (deeds: readonly Deed[]): Set<string> =>
  new Set(deeds.flatMap(({ transactionId }) => transactionId ?? []));
