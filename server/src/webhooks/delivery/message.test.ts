import fc from "fast-check";
import { expect, test } from "vitest";
import { bodyOf } from "./message.ts";

test("a body is the event as JSON, whatever it holds", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.option(fc.string()),
      fc.option(fc.bigInt({ min: 1n, max: 2n ** 53n - 1n })),
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("9000-01-01") }),
      (data, clientReference, sequence, createdAt) => {
        const body = bodyOf({
          eventId: "evt_1",
          eventType: "wallet.deposited",
          createdAt,
          sequence,
          clientReference,
          dataJson: JSON.stringify(data),
        });
        expect(JSON.parse(body)).toEqual({
          eventId: "evt_1",
          eventType: "wallet.deposited",
          createdAt: createdAt.toISOString(),
          sequence: sequence === null ? null : Number(sequence),
          ...(clientReference === null ? {} : { clientReference }),
          data: JSON.parse(JSON.stringify(data)),
        });
      },
    ),
  );
});
