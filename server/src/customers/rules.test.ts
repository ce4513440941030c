import fc from "fast-check";
import { expect, test } from "vitest";
import type { Holder, NumberIdType } from "./port.ts";
import { numberIdTypes } from "./port.ts";
import type { RejectLabel } from "./reject.ts";
import { decideNumber } from "./rules.ts";

const ada: Holder = { found: true, firstName: "Ada", lastName: "Obi", dateOfBirth: "1992-04-15" };
const adaWithoutDate: Holder = { found: true, firstName: "Ada", lastName: "Obi" };
const nameless: Holder = { found: true, firstName: "", lastName: "", dateOfBirth: "1992-04-15" };
const invalid: Holder = { ...ada, objections: ["OTHER"] };
const child: Holder = { ...ada, objections: ["UNDERAGE"] };

type Row = [NumberIdType, Holder, string, string, string | undefined, "Approved" | RejectLabel[]];

test.each<Row>([
  ["BVN", ada, "Ada", "Obi", undefined, "Approved"],
  ["BVN", ada, "ADA", "Someone", undefined, "Approved"], // one name is enough
  ["BVN", ada, "Someone", "obi", undefined, "Approved"],
  ["BVN", ada, "Obi", "Ada", undefined, "Approved"], // swapped
  ["BVN", ada, "Obi", "Someone", undefined, "Approved"],
  ["BVN", ada, "Àdá", "X", undefined, "Approved"],
  ["BVN", ada, "Ada", "Obi", "2001-01-01", "Approved"], // a BVN is not about dates
  ["BVN", ada, "Eve", "Okon", undefined, ["NAME_MISMATCH"]],
  ["BVN", ada, "", "", undefined, ["NAME_MISMATCH"]],
  ["BVN", nameless, "", "", undefined, ["NAME_MISMATCH"]],
  ["BVN", { found: false }, "Ada", "Obi", undefined, ["NOT_FOUND"]],
  ["BVN", invalid, "Ada", "Obi", undefined, ["OTHER"]],
  ["BVN", child, "Eve", "Okon", undefined, ["NAME_MISMATCH", "UNDERAGE"]],
  ["NIN", ada, "Ada", "Obi", "1992-04-15", "Approved"],
  ["NIN", ada, "Ada", "Someone", "1992-04-15", "Approved"],
  ["NIN", ada, "Ada", "Obi", "1992-04-16", ["DOB_MISMATCH"]],
  ["NIN", ada, "Ada", "Obi", undefined, ["DOB_MISMATCH"]],
  ["NIN", adaWithoutDate, "Ada", "Obi", undefined, ["DOB_MISMATCH"]], // unknown is not equal
  ["NIN", { ...ada, dateOfBirth: "" }, "Ada", "Obi", "", ["DOB_MISMATCH"]],
  ["NIN", ada, "Eve", "Okon", "1992-04-15", ["NAME_MISMATCH"]],
  ["NIN", ada, "Eve", "Okon", "1992-04-16", ["NAME_MISMATCH", "DOB_MISMATCH"]],
  ["vNIN", ada, "Obi", "Ada", "1992-04-15", "Approved"],
  ["vNIN", ada, "Ada", "Obi", "1992-05-14", ["DOB_MISMATCH"]],
  ["vNIN", { found: false }, "Ada", "Obi", "1992-04-15", ["NOT_FOUND"]],
])("%s of %j for %s %s, %s: %j", (idType, holder, firstName, lastName, dateOfBirth, expected) => {
  const decision = decideNumber(idType, { firstName, lastName, dateOfBirth }, holder);
  expect(decision.status === "Approved" ? "Approved" : decision.rejectLabels).toEqual(expected);
});

test("a mistake can be corrected, an objection to the person cannot", () => {
  const submitted = { firstName: "Eve", lastName: "Okon" };
  expect(decideNumber("BVN", submitted, ada)).toMatchObject({ rejectType: "RETRY" });
  expect(decideNumber("BVN", submitted, { found: false })).toMatchObject({ rejectType: "RETRY" });
  expect(decideNumber("BVN", submitted, child)).toMatchObject({ rejectType: "FINAL" });
});

test("whoever is not found, nameless or objected to is never approved", () => {
  const person = fc.record({
    firstName: fc.string({ unit: "binary" }),
    lastName: fc.string({ unit: "binary" }),
    dateOfBirth: fc.option(fc.constantFrom("1992-04-15", ""), { nil: undefined }),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...numberIdTypes),
      person,
      fc.constantFrom<Holder>({ found: false }, nameless, invalid, child),
      (idType, submitted, holder) => {
        expect(decideNumber(idType, submitted, holder).status).toBe("Rejected");
      },
    ),
  );
});
