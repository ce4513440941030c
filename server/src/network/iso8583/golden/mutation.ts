import fc from "fast-check";

const anyBytes = fc.uint8Array({ maxLength: 8 });
/** A small change to the bytes of a message. */
export const mutation = fc.oneof(
  fc.record({ kind: fc.constant("flip" as const), at: fc.nat(), bit: fc.nat({ max: 7 }) }),
  fc.record({ kind: fc.constant("put" as const), at: fc.nat(), bytes: anyBytes }),
  fc.record({ kind: fc.constant("insert" as const), at: fc.nat(), bytes: anyBytes }),
  fc.record({ kind: fc.constant("remove" as const), at: fc.nat(), count: fc.nat({ max: 40 }) }),
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("repeat" as const), at: fc.nat(), count: fc.nat({ max: 40 }) }),
);
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never;

export function mutate(bytes: Buffer, change: Mutation): Buffer {
  const at = change.at % (bytes.length + 1);
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at);
  switch (change.kind) {
    case "flip":
      return Buffer.concat(
        [before, [(after[0] ?? 0) ^ (1 << change.bit)], after.subarray(1)].map((part) =>
          Buffer.from(part),
        ),
      );
    case "put":
      return Buffer.concat([before, change.bytes, after.subarray(change.bytes.length)]);
    case "insert":
      return Buffer.concat([before, change.bytes, after]);
    case "remove":
      return Buffer.concat([before, after.subarray(change.count)]);
    case "cut":
      return before;
    case "repeat":
      return Buffer.concat([before, after.subarray(0, change.count), after]);
  }
}
