import { randomInt } from "node:crypto";
import type { Currency } from "../../foundation/currencies.ts";
import { writeCvv2 } from "../iso8583/elements/additional-data.ts";
import { writeReplacementAmounts, writeTransactionAmount } from "../iso8583/elements/amounts.ts";
import { writeMerchantId, writeNameAndLocation } from "../iso8583/elements/card-acceptor.ts";
import { writeOriginal } from "../iso8583/elements/original.ts";
import { writeExpiry, writeTransmissionTime } from "../iso8583/elements/times.ts";
import type { Fields, Message } from "../iso8583/fields.ts";
import { isMti, type Mti } from "../iso8583/message-types.ts";

/** A card as a terminal sees it. */
export interface PresentedCard {
  pan: string;
  currency: Currency;
  expiry?: { month: number; year: number } | undefined;
  cvv?: string | undefined;
}

const MERCHANT = {
  mid: "ACQUIRER1",
  mcc: "5999",
  name: "FLORIN ACQUIRER",
  city: "ANYWHERE",
  country: "US",
};
const MOST_TRACES = 999_999;

/** Writes the messages of a merchant's terminal, each with a name of its own. */
export class Terminal {
  /** DE 32. */
  readonly #acquirer: string;
  /** Tells its payments from those of every other terminal. */
  readonly #prefix = randomInt(36 ** 4)
    .toString(36)
    .padStart(4, "0")
    .toUpperCase();
  #trace = randomInt(MOST_TRACES);
  #payments = 0;

  constructor({ acquirer = "412345" }: { acquirer?: string } = {}) {
    this.#acquirer = acquirer;
  }

  /** A purchase: 0100 unless told otherwise. Fields that are given replace others. */
  purchase(
    card: PresentedCard,
    amountMinor: bigint,
    { mti = "0100", currency = card.currency, ...more }: PurchaseChange = {},
  ): Message {
    const { mid, mcc, name, city, country } = MERCHANT;
    const fields: Fields = {
      ...this.#nameFields(this.#newRetrieval()),
      ...writeTransactionAmount(amountMinor, currency),
      2: card.pan,
      3: more.kind === "cash" ? "010000" : "000000",
      18: mcc,
      22: "812",
      25: more.kind === "pre-authorization" ? "06" : "00",
      41: "TERM0001",
      42: writeMerchantId(mid),
      43: writeNameAndLocation({ name, city, country }),
      ...(card.expiry === undefined ? {} : { 14: writeExpiry(card.expiry) }),
      ...(card.cvv === undefined ? {} : { 48: writeCvv2(card.cvv) }),
      ...more.fields,
    };
    return { mti, fields };
  }

  /** 0220: what a purchase came to. */
  completion(purchase: Message, amountMinor: bigint, currency: Currency): Message {
    const fields = { ...this.#about(purchase), ...writeTransactionAmount(amountMinor, currency) };
    return { mti: "0220", fields: { ...fields, 90: writeOriginal(purchase) } };
  }

  /** 0220: gives back what a purchase came to. */
  refund(purchase: Message, amountMinor: bigint, currency: Currency): Message {
    const { mti, fields } = this.completion(purchase, amountMinor, currency);
    return { mti, fields: { ...fields, 3: "200000" } };
  }

  /** 0420, or 0400: takes a purchase back, or leaves some of it. */
  reversal(
    purchase: Message,
    { mti = "0420", remainingMinor }: { mti?: Mti; remainingMinor?: bigint } = {},
  ): Message {
    const fields = { ...this.#about(purchase), 90: writeOriginal(purchase) };
    if (remainingMinor === undefined) return { mti, fields };
    const amounts = { transactionMinor: remainingMinor, settlementMinor: 0n };
    return { mti, fields: { ...fields, 95: writeReplacementAmounts(amounts) } };
  }

  /** The same message once more, as who heard no answer sends it. */
  repeat({ mti, fields }: Message): Message {
    const repeated = `${mti.slice(0, 3)}1`;
    return { mti: isMti(repeated) ? repeated : mti, fields };
  }

  /** 0800. */
  management(code: "001" | "002" | "301"): Message {
    const { 7: time, 11: trace, 32: acquirer } = this.#nameFields("0".repeat(12));
    return { mti: "0800", fields: { 7: time, 11: trace, 32: acquirer, 70: code } as Fields };
  }

  /** All that a later message repeats of a purchase, under a name of its own. */
  #about({ fields }: Message): Fields {
    const { 14: _expiry, 48: _secrets, 38: _code, 39: _answer, ...kept } = fields;
    return { ...kept, ...this.#nameFields(fields[37] ?? this.#newRetrieval()) };
  }

  #nameFields(retrieval: string): Fields {
    this.#trace = (this.#trace % MOST_TRACES) + 1;
    const sent = writeTransmissionTime(new Date());
    return {
      7: sent,
      11: String(this.#trace).padStart(6, "0"),
      12: sent.slice(4),
      13: sent.slice(0, 4),
      32: this.#acquirer,
      37: retrieval,
    };
  }

  #newRetrieval(): string {
    this.#payments += 1;
    return this.#prefix + this.#payments.toString(36).padStart(8, "0").toUpperCase();
  }
}

interface PurchaseChange {
  mti?: Mti;
  currency?: Currency;
  kind?: "purchase" | "cash" | "pre-authorization";
  fields?: Fields;
}
