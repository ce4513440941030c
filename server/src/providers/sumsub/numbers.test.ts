import { expect, test } from "vitest";
import { reset, sendJson } from "../../../test/harness/sumsub-faults.ts";
import {
  adaFound,
  BVN,
  bvn,
  kycToken,
  NIN,
  serverForEachTest,
} from "../../../test/harness/sumsub-submissions.ts";
import { ProviderDown, ProviderSlow } from "../../customers/port.ts";

const theirs = serverForEachTest();

test("a BVN is looked up as a tax number, and its holder is told", async () => {
  theirs.server.register.set(BVN, adaFound);
  const holder = await theirs.adapter().verifyNumber(bvn);
  expect(holder).toEqual({
    found: true,
    firstName: "ADA",
    lastName: "OBI",
    dateOfBirth: "1992-04-15",
    objections: [],
  });
  const { lookUps, levelName, fixedInfo } = theirs.server.applicant(kycToken);
  expect(levelName).toBe("ng number");
  expect(lookUps).toEqual([{ info: { country: "NGA", tin: "22222222222" } }]);
  // What was submitted is for our rules, not for theirs.
  expect(fixedInfo).toEqual({ country: "NGA" });
});

test.each([
  ["NIN", "11111111111"],
  ["vNIN", "AB12345678901234"],
] as const)("a %s is looked up as a document's number", async (idType, idNumber) => {
  theirs.server.register.set(`ID_CARD ${idNumber}`, adaFound);
  await expect(theirs.adapter().verifyNumber({ ...bvn, idType, idNumber })).resolves.toMatchObject({
    found: true,
    dateOfBirth: "1992-04-15",
  });
  expect(theirs.server.applicant(kycToken).lookUps).toEqual([
    { idDoc: { country: "NGA", idDocType: "ID_CARD", number: idNumber } },
  ]);
});

test.each<[string, Record<string, unknown> | undefined]>([
  ["no data", undefined],
  ["an invalid number", { answer: "RED", violations: ["INVALID_DOC_NUMBER"] }],
  ["invalid data", { errorCode: 9100 }],
  ["too little data", { errorCode: 9104 }],
])("%s under the number is not found", async (_, found) => {
  if (found !== undefined) theirs.server.register.set(BVN, found);
  await expect(theirs.adapter().verifyNumber(bvn)).resolves.toEqual({ found: false });
});

test.each<[string[], string[]]>([
  [["NAME_MISMATCH", "BDATE_MISMATCH", "GENDER_MISMATCH"], []], // ours to compare
  [["INVALID_ID_STATUS"], ["OTHER"]],
  [["PERSON_IS_MINOR"], ["UNDERAGE"]],
  [["SOMETHING_NEW"], ["OTHER"]],
])(
  "violations %j of a holder who was found are the objections %j",
  async (violations, objections) => {
    theirs.server.register.set(BVN, { ...adaFound, answer: "RED", violations });
    await expect(theirs.adapter().verifyNumber(bvn)).resolves.toMatchObject({
      found: true,
      objections,
    });
  },
);

test.each<[string, string, Record<string, unknown>]>([
  ["a source that was not available", BVN, { answer: "ERROR" }],
  ["an error of the source", BVN, { errorCode: 9102 }],
  ["too many attempts", BVN, { errorCode: 9105 }],
  ["an unknown answer", BVN, { answer: "PURPLE" }],
  ["a good answer about nobody", BVN, { answer: "GREEN" }],
  ["a bad answer that says nothing", BVN, { answer: "RED", violations: [] }],
  ["a mismatch that tells no facts", BVN, { answer: "RED", violations: ["NAME_MISMATCH"] }],
  [
    "a holder without a date of birth",
    NIN,
    { answer: "GREEN", extractedDoc: { firstName: "ADA" } },
  ],
  [
    "a date of birth that is none",
    NIN,
    { answer: "GREEN", extractedDoc: { firstName: "ADA", dob: "15/04/92" } },
  ],
])("%s is a fault, never a rejection", async (_, key, found) => {
  theirs.server.register.set(key, found);
  const query = key === BVN ? bvn : ({ ...bvn, idType: "NIN", idNumber: "11111111111" } as const);
  await expect(theirs.adapter().verifyNumber(query)).rejects.toBeInstanceOf(ProviderDown);
});

test("a look-up that is under way is waited for", async () => {
  const check: Record<string, unknown> = { answer: "YELLOW" };
  theirs.server.register.set(BVN, check);
  theirs.server.faults = [
    undefined,
    undefined,
    // The first reading of the check is answered with what the documentation calls in progress.
    (_, response) => {
      sendJson(response, 200, { checks: [{ checkType: "E_KYC_CHECK", answer: "YELLOW" }] });
      Object.assign(theirs.server.applicant(kycToken).checks[0] ?? {}, adaFound);
    },
  ];
  await expect(theirs.adapter().verifyNumber(bvn)).resolves.toMatchObject({ found: true });
});

test("a look-up that does not end in time is too slow", async () => {
  theirs.server.register.set(BVN, { answer: "YELLOW" });
  await expect(theirs.adapter({ deadlineMs: 100 }).verifyNumber(bvn)).rejects.toBeInstanceOf(
    ProviderSlow,
  );
});

test("asking again about the same number pays for no second look-up", async () => {
  theirs.server.register.set(BVN, adaFound);
  await theirs.adapter().verifyNumber(bvn);
  await expect(theirs.adapter().verifyNumber(bvn)).resolves.toMatchObject({ found: true });
  expect(theirs.server.applicant(kycToken).lookUps).toHaveLength(1);
});

test("after a look-up that failed, asking again looks up again", async () => {
  theirs.server.register.set(BVN, { answer: "ERROR" });
  await expect(theirs.adapter().verifyNumber(bvn)).rejects.toBeInstanceOf(ProviderDown);
  theirs.server.register.set(BVN, adaFound);
  await expect(theirs.adapter().verifyNumber(bvn)).resolves.toMatchObject({ found: true });
});

test("a look-up whose answer was lost is not simply sent again", async () => {
  theirs.server.register.set(BVN, adaFound);
  theirs.server.lateFaults = [undefined, reset];
  await expect(theirs.adapter().verifyNumber(bvn)).rejects.toBeInstanceOf(ProviderDown);
  expect(theirs.server.applicant(kycToken).lookUps).toHaveLength(1);
});
