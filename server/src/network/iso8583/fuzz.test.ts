import { inspect } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decode } from "./decode.ts";
import { describeMessage } from "./describe.ts";
import { acquirerCountryOf } from "./elements/acquirer-country.ts";
import { additionalAmountsOf } from "./elements/additional-amounts.ts";
import { additionalDataOf, cvv2Of } from "./elements/additional-data.ts";
import {
  billingAmountOf,
  replacementAmountsOf,
  settlementMinorOf,
  transactionAmountOf,
} from "./elements/amounts.ts";
import { merchantIdOf, nameAndLocationOf } from "./elements/card-acceptor.ts";
import { conversionRateOf } from "./elements/conversion-rate.ts";
import { entryModeOf } from "./elements/entry-mode.ts";
import { originalOf } from "./elements/original.ts";
import { processingCodeOf } from "./elements/processing-code.ts";
import { expiryOf, localTimeOf, transmissionTimeOf } from "./elements/times.ts";
import { encode } from "./encode.ts";
import type { Message } from "./fields.ts";
import { FormatError } from "./format-error.ts";
import { arbitraryMessage } from "./golden/arbitrary.ts";
import { fuzzSize } from "./golden/fuzz-size.ts";
import { goldenMessages } from "./golden/golden.ts";
import { mutate, mutation } from "./golden/mutation.ts";
import { refusalOf } from "./refusal.ts";

const { messages: RUNS, timeoutMs: TIMEOUT_MS } = fuzzSize(20_000);

const now = new Date("2026-02-03T00:00:00.000Z");
const readers: ((message: Message) => unknown)[] = [
  processingCodeOf,
  transactionAmountOf,
  settlementMinorOf,
  billingAmountOf,
  (message) => transmissionTimeOf(message, now),
  conversionRateOf,
  localTimeOf,
  expiryOf,
  acquirerCountryOf,
  entryModeOf,
  merchantIdOf,
  nameAndLocationOf,
  additionalDataOf,
  cvv2Of,
  additionalAmountsOf,
  originalOf,
  replacementAmountsOf,
];

/** What became of it: a message, or the error that it must be. */
function attempt<Value>(action: () => Value): Value | FormatError {
  try {
    return action();
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
}

function checkOutcome(bytes: Buffer): void {
  const message = attempt(() => decode(bytes));
  if (message instanceof FormatError) {
    const answer = refusalOf(message);
    // What is answered can be read in turn, unless it answers a type that is not spoken here.
    if (answer !== undefined && message.place !== "MTI") decode(answer);
    return;
  }
  if (!encode(message).equals(bytes)) throw new Error("Other bytes give the same message");
  describeMessage(message);
  for (const read of readers) attempt(() => read(message));
}

test(`${RUNS} mutated messages are taken or refused, and nothing else`, {
  timeout: TIMEOUT_MS,
}, () => {
  const original = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...goldenMessages.map(({ bytes }) => bytes)) },
    { weight: 1, arbitrary: arbitraryMessage.map(encode) },
  );
  fc.assert(
    fc.property(original, fc.array(mutation, { minLength: 1, maxLength: 4 }), (bytes, mutations) =>
      checkOutcome(mutations.reduce(mutate, bytes)),
    ),
    { numRuns: RUNS },
  );
});

test("any bytes after a good type are taken or refused, and nothing else", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("0100", "0110", "0420", "0800"),
      fc.uint8Array({ maxLength: 200 }),
      (mti, bytes) => checkOutcome(Buffer.concat([Buffer.from(mti), bytes])),
    ),
    { numRuns: 2_000 },
  );
});

test("no error shows a card number or a CVV2", () => {
  const secretive = goldenMessages.filter(({ message }) => message.fields[48] !== undefined);
  fc.assert(
    fc.property(fc.constantFrom(...secretive), mutation, ({ bytes, message }, change) => {
      const outcome = attempt(() => decode(mutate(bytes, change)));
      const text = outcome instanceof FormatError ? inspect(outcome, { showHidden: true }) : "";
      expect(text).not.toContain(message.fields[2]);
      expect(text).not.toContain(message.fields[48]);
    }),
    { numRuns: 1_000 },
  );
});
