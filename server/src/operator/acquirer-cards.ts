import { readFile } from "node:fs/promises";
import { openSecrets } from "../cards/secrets.ts";
import type { Core } from "../core.ts";
import { type Currency, isCurrency } from "../foundation/currencies.ts";
import type { PresentedCard } from "../network/acquirer/terminal.ts";
import { CommandError } from "./command.ts";

const MAX_CARDS = 1_000;
const LINE = /^(\d{13,19})(?:,(\d{2})(0[1-9]|1[0-2]))?(?:,(\d{3}))?$/;

/** Cards that a file names: a number, perhaps its expiry (YYMM) and its CVV, on each line. */
export async function readCards(file: string, currency: string): Promise<PresentedCard[]> {
  if (!isCurrency(currency)) throw new CommandError(`${currency} is no ISO 4217 currency code.`);
  const text = await readFile(file, "utf8").catch(() => {
    throw new CommandError(`${file} cannot be read.`);
  });
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length < 1 || lines.length > MAX_CARDS) {
    throw new CommandError(`${file} must have 1 to ${MAX_CARDS} cards, each on a line.`);
  }
  return lines.map((line, index) => cardOf(line, index + 1, file, currency));
}

function cardOf(line: string, number: number, file: string, currency: Currency): PresentedCard {
  const [, pan, year, month, cvv] = LINE.exec(line.trim()) ?? [];
  if (pan === undefined) {
    throw new CommandError(`Line ${number} of ${file} is no card: NUMBER[,YYMM[,CVV]].`);
  }
  const expiry = year && month ? { year: 2000 + Number(year), month: Number(month) } : undefined;
  return { pan, currency, expiry, cvv };
}

interface CardRow {
  organizationId: string;
  cardId: string;
  currency: Currency;
  expiryMonth: number;
  expiryYear: number;
  panSealed: Buffer;
  cvvKey: number;
}

/** The latest active cards of a sandbox, whose numbers nobody has to keep secret. */
export async function sandboxCards({ pool, vault }: Core): Promise<PresentedCard[]> {
  const { rows } = await pool.query<CardRow>(
    `select c.organization_id as "organizationId", c.card_id as "cardId", c.currency,
            c.expiry_month as "expiryMonth", c.expiry_year as "expiryYear",
            s.pan_sealed as "panSealed", s.cvv_key as "cvvKey"
       from cards c join card_secrets s using (organization_id, card_id)
      where c.status = 'Active' order by c.card_id desc limit $1`,
    [MAX_CARDS],
  );
  if (rows.length === 0) {
    throw new CommandError("The sandbox has no active card: issue one first (POST /cards/retail).");
  }
  return Promise.all(
    rows.map(async (row) => {
      const { pan, cvv } = await openSecrets(vault, row.organizationId, row, row);
      const expiry = { month: row.expiryMonth, year: row.expiryYear };
      return { pan, cvv, expiry, currency: row.currency };
    }),
  );
}
