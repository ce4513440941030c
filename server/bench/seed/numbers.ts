import { newPan } from "../../src/cards/pan.ts";
import { cvvOf, sealPan } from "../../src/cards/secrets.ts";
import { cardSecrets } from "../../src/cards/tables.ts";
import type { Pool } from "../../src/db/pool.ts";
import { transaction } from "../../src/db/transaction.ts";
import { sendOn } from "../../src/db/trip.ts";
import type { PresentedCard } from "../../src/network/acquirer/terminal.ts";
import { PLAIN_CARD } from "../../test/harness/plain-card.ts";
import type { SeededCard } from "./cards.ts";
import { openVault } from "./vault.ts";

const BIN = "411111";

/** Ten thousand numbers of a thousand million: now and then one is drawn twice, or was issued before. */
const DRAWS = 10;

/** Gives cards the numbers that a terminal shows. */
export async function seedNumbers(
  pool: Pool,
  organizationId: string,
  cards: readonly SeededCard[],
): Promise<PresentedCard[]> {
  const vault = await openVault(pool);
  const { currency, expiryMonth: month, expiryYear: year } = PLAIN_CARD;
  const hashKey = vault.derivationKey("pan-hash");
  const draw = () => {
    const numbered = cards.map(({ cardId }) => ({ cardId, pan: newPan(BIN) }));
    const secrets = numbered.map(({ cardId, pan }) => ({
      ...sealPan(vault, organizationId, cardId, { pan, hashKey }),
      organizationId,
    }));
    return { numbered, secrets };
  };
  let drawn = draw();
  for (let n = 1; !(await isWritten(pool, drawn.secrets)); n++) {
    if (n === DRAWS) throw new Error("No free card numbers were drawn.");
    drawn = draw();
  }
  const { numbered, secrets } = drawn;
  return Promise.all(
    numbered.map(async ({ pan }, index) => ({
      pan,
      currency,
      expiry: { month, year },
      cvv: await cvvOf(vault, pan, { ...PLAIN_CARD, cvvKey: secrets[index]?.cvvKey ?? 0 }),
    })),
  );
}

/** False when a number is taken. */
async function isWritten(
  pool: Pool,
  secrets: Parameters<NonNullable<typeof cardSecrets.insert>>[0],
): Promise<boolean> {
  const statement = cardSecrets.insert?.(secrets);
  if (statement === undefined) throw new Error("Numbers cannot be written.");
  try {
    await transaction(pool, (tx) => sendOn(tx, [statement]));
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "23505") return false;
    throw error;
  }
}
