import { expect, test } from "vitest";
import { bodyOf, emptyApplicant } from "./applicant.ts";

test("only what is filled in is sent, and an address only when there is one", () => {
  const person = { ...emptyApplicant(), clientReference: "c-1", idNumber: "22222222222" };
  expect(bodyOf(person)).toEqual({
    clientReference: "c-1",
    individualKyc: { idType: "BVN", idNumber: "22222222222" },
  });
});

test("images go with documents, not with numbers", () => {
  const images = { idFrontImage: "data:image/png;base64,AA==" };
  const withNumber = bodyOf({ ...emptyApplicant(), idType: "NIN", ...images });
  const withDocument = bodyOf({ ...emptyApplicant(), idType: "PASSPORT", ...images });
  expect(withNumber).toEqual({ individualKyc: { idType: "NIN" } });
  expect(withDocument).toEqual({ individualKyc: { idType: "PASSPORT", ...images } });
});

test("a business is sent as one", () => {
  const address = {
    street: "1 Quay",
    city: "Lagos",
    state: "Lagos",
    postalCode: "",
    country: "NG",
  };
  const business = {
    ...emptyApplicant(),
    kind: "business" as const,
    registeredName: "Acme",
    address,
  };
  expect(bodyOf(business)).toEqual({
    businessKyc: {
      registeredName: "Acme",
      address: { street: "1 Quay", city: "Lagos", state: "Lagos", country: "NG" },
    },
  });
});
