import { expect, test } from "vitest";
import { Failure, type FieldError } from "../api/failure.ts";
import { complaintsAt, isAtField, showFieldErrors } from "./form-errors.ts";

const formWith = (values: object) => {
  const shown: Record<string, string> = {};
  return {
    shown,
    values,
    setErrors: (errors: Record<string, string>) => void Object.assign(shown, errors),
    getInputNode: () => null,
  };
};

const refusal = (...fieldErrors: FieldError[]) =>
  new Failure("Invalid request", { ...Failure.lost().facts, fieldErrors });

test.each([
  ["individualKyc.idNumber", "idNumber"],
  ["individualKyc.address.city", "address.city"],
  ["clientReference", "clientReference"],
  // One of a list is told at the list.
  ["mccs.1", "mccs"],
])("a complaint about %s stands at %s", (field, path) => {
  const form = formWith({ idNumber: "", clientReference: "", address: { city: "" }, mccs: [] });
  showFieldErrors(form, refusal({ field, message: "is wrong" }), "individualKyc");
  expect(form.shown).toEqual({ [path]: "is wrong" });
  expect(isAtField(form, "individualKyc")(field)).toBe(true);
});

test.each(["token", "address", "address.planet"])("a complaint about %s has no field", (field) => {
  const form = formWith({ address: { city: "" } });
  showFieldErrors(form, refusal({ field, message: "is wrong" }));
  expect(form.shown).toEqual({});
  expect(isAtField(form)(field)).toBe(false);
});

test("a form without values of its own is told at which of its fields what is wrong", () => {
  const error = refusal(
    { field: "eventTypes.1", message: "is none" },
    { field: "eventTypes.2", message: "is none either" },
    { field: "urls", message: "is not known" },
  );
  const { complaints, isAtField: isMarked } = complaintsAt(error, "url", "eventTypes");
  expect(complaints).toEqual({ eventTypes: "is none" });
  expect(["eventTypes.2", "url", "urls"].filter(isMarked)).toEqual(["eventTypes.2", "url"]);
  expect(complaintsAt(null, "url").complaints).toEqual({});
});
