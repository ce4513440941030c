import { newPan } from "../../src/cards/pan.ts";
import { cvvOf, sealPan } from "../../src/cards/secrets.ts";
import { cardSecrets } from "../../src/cards/tables.ts";
import type { Pool } from "../../src/db/pool.ts";
import type { PresentedCard } from "../../src/network/acquirer/terminal.ts";
import { PLAIN, type SeededCard } from "./cards.ts";
import { openVault } from "./vault.ts";

const BIN = "411111";

/** Gives cards the numbers that a terminal shows. Two alike are too unlikely to be looked for. */
export async function seedNumbers(
  pool: Pool,
  organizationId: string,
  cards: readonly SeededCard[],
): Promise<PresentedCard[]> {
  const vault = await openVault(pool);
  const { currency, expiryMonth: month, expiryYear: year } = PLAIN;
  const numbered = cards.map(({ cardId }) => ({ cardId, pan: newPan(BIN) }));
  const secrets = numbered.map(({ cardId, pan }) => ({
    ...sealPan(vault, organizationId, cardId, pan),
    organizationId,
  }));
  const statement = cardSecrets.insert?.(secrets);
  if (statement !== undefined) await pool.query(statement.text, statement.values);
  return Promise.all(
    numbered.map(async ({ pan }, index) => ({
      pan,
      currency,
      expiry: { month, year },
      cvv: await cvvOf(vault, secrets[index]?.cvvKey ?? 0, pan, PLAIN),
    })),
  );
}
