import type { ManyQuery, Reads } from "../db/reads.ts";
import { scopedColumns, scopedKey } from "../db/scoped-key.ts";
import { BoundedMap } from "../foundation/bounded-map.ts";
import { Failure } from "../foundation/failure.ts";
import { isId } from "../foundation/ids.ts";
import type { CardFacts } from "./card.ts";

const MAX_REMEMBERED = 20_000;

const factsOf: ManyQuery<string, CardFacts & { organizationId: string }> = {
  statement: (keys) => ({
    name: "card_facts",
    text: `
      select c.organization_id as "organizationId", c.card_id as "cardId", c.customer_id as "customerId",
             c.account_id as "accountId", c.type, c.currency, c.programme_id as "programmeId",
             c.is_guest as "isGuest"
        from unnest($1::text[], $2::text[]) as k(organization_id, card_id)
       cross join lateral (select * from cards
         where organization_id = k.organization_id and card_id = k.card_id limit 1) c`,
    values: scopedColumns(keys),
  }),
  keyOf: ({ organizationId, cardId }) => scopedKey(organizationId, cardId),
};

/** What never changes about cards, remembered: operations must know a card's account to lock it. */
export class CardBook {
  readonly #reads: Reads;
  readonly #known = new BoundedMap<string, CardFacts>(MAX_REMEMBERED);

  constructor(reads: Reads) {
    this.#reads = reads;
  }

  /** Refuses what is no card id (112) and what is no card of this organization (148). */
  find(organizationId: string, cardId: string): CardFacts | Promise<CardFacts> {
    return this.#known.get(scopedKey(organizationId, cardId)) ?? this.#ask(organizationId, cardId);
  }

  async #ask(organizationId: string, cardId: string): Promise<CardFacts> {
    if (!isId("card", cardId)) throw new Failure("INVALID_CARD_ID");
    const key = scopedKey(organizationId, cardId);
    const [found] = await this.#reads.ask(factsOf, key);
    if (found === undefined) throw new Failure("NO_CARD_RECORD");
    this.#known.set(key, found);
    return found;
  }
}
