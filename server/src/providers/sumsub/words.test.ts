import { expect, test } from "vitest";
import { type RejectLabel, rejectLabels } from "../../customers/reject.ts";
import { outcomeOf } from "./words.ts";

const red = (labels: string[], rest: Record<string, unknown> = {}) => ({
  reviewStatus: "completed",
  reviewResult: { reviewAnswer: "RED", rejectLabels: labels, ...rest },
});

test.each([
  ["init", undefined, "Pending"],
  ["pending", undefined, "Pending"],
  ["queued", undefined, "Pending"],
  ["prechecked", undefined, "Pending"],
  ["onHold", undefined, "Pending"],
  ["completed", "GREEN", "Approved"],
  ["completed", "RED", "Rejected"],
  ["completed", "YELLOW", "Pending"],
  ["completed", undefined, "Pending"],
  // An answer counts only when the review is completed.
  ["onHold", "GREEN", "Pending"],
  ["pending", "RED", "Pending"],
  ["something new", "GREEN", "Pending"],
  [undefined, "GREEN", "Pending"],
])("%s with %s is %s", (reviewStatus, reviewAnswer, status) => {
  expect(outcomeOf({ reviewStatus, reviewResult: { reviewAnswer } }).status).toBe(status);
});

test("a review without a result is pending", () => {
  expect(outcomeOf({ reviewStatus: "completed", reviewResult: null }).status).toBe("Pending");
});

test.each<[string[], RejectLabel[]]>([
  [["FORGERY"], ["FORGERY"]],
  [
    ["GRAPHIC_EDITOR", "UNSATISFACTORY_PHOTOS"],
    ["FORGERY", "UNREADABLE"],
  ],
  [["EXPIRATION_DATE"], ["EXPIRED_DOCUMENT"]],
  [["SCREENSHOTS", "UNSATISFACTORY_PHOTOS"], ["UNREADABLE"]],
  [["DOCUMENT_PAGE_MISSING"], ["INCOMPLETE"]],
  [["NOT_DOCUMENT"], ["UNSUPPORTED_DOCUMENT"]],
  [["WRONG_USER_REGION"], ["UNSUPPORTED_REGION"]],
  [["SELFIE_MISMATCH"], ["SELFIE_MISMATCH"]],
  [["AGE_REQUIREMENT_MISMATCH"], ["UNDERAGE"]],
  [["DUPLICATE"], ["DUPLICATE"]],
  [["SANCTIONS"], ["SANCTIONS"]],
  [["PEP", "ADVERSE_MEDIA"], ["RISK"]],
  [["DB_DATA_NOT_FOUND"], ["NOT_FOUND"]],
  [["INCORRECT_SOCIAL_NUMBER"], ["NOT_FOUND"]],
  [["WRONG_ADDRESS"], ["ADDRESS_MISMATCH"]],
  [["PROBLEMATIC_APPLICANT_DATA"], ["DATA_MISMATCH"]],
  [["SOMETHING_NEW"], ["OTHER"]],
  [["constructor", "__proto__"], ["OTHER"]],
  [[], ["OTHER"]],
])("the words %j are our labels %j", (words, labels) => {
  expect(outcomeOf(red(words))).toMatchObject({ status: "Rejected", rejectLabels: labels });
});

test.each<[string[], string[], RejectLabel[]]>([
  [["PROBLEMATIC_APPLICANT_DATA"], ["dataMismatch_fullName"], ["NAME_MISMATCH"]],
  [["PROBLEMATIC_APPLICANT_DATA"], ["dataMismatch_somethingNew"], ["DATA_MISMATCH"]],
  [
    ["PROBLEMATIC_APPLICANT_DATA", "WRONG_ADDRESS"],
    ["dataMismatch_dateOfBirth", "dataMismatch_address"],
    ["DOB_MISMATCH", "ADDRESS_MISMATCH"],
  ],
  [["FORGERY"], ["fake_forgedId"], ["FORGERY"]],
])("the words %j with the buttons %j are our labels %j", (words, buttonIds, labels) => {
  expect(outcomeOf(red(words, { buttonIds }))).toMatchObject({ rejectLabels: labels });
});

test.each([
  ["FINAL", ["BLURRY"], "FINAL"],
  ["RETRY", ["FORGERY"], "RETRY"], // theirs to say
  [undefined, ["FORGERY"], "FINAL"],
  ["SOMETHING_NEW", ["BLURRY"], "RETRY"],
])("reject type %s for %j is %s", (reviewRejectType, words, rejectType) => {
  expect(outcomeOf(red(words, { reviewRejectType }))).toMatchObject({ rejectType });
});

test.each(["CHECK_UNAVAILABLE", "NOT_ALL_CHECKS_COMPLETED", "CONNECTION_INTERRUPTED"])(
  "a source that could not be asked is no verdict: %s",
  (fault) => {
    expect(outcomeOf(red([fault], { reviewRejectType: "RETRY" }))).toEqual({ status: "Pending" });
    expect(outcomeOf(red([fault, "FORGERY"]))).toMatchObject({
      status: "Rejected",
      rejectLabels: ["FORGERY"],
    });
  },
);

test("no word of theirs passes through", () => {
  const outcome = outcomeOf(red(["SUPER_SECRET", "BLURRY"], { clientComment: "for staff only" }));
  if (outcome.status !== "Rejected") throw new Error("It must be rejected");
  expect(outcome.rejectLabels.every((label) => rejectLabels.includes(label))).toBe(true);
  expect(JSON.stringify(outcome)).not.toMatch(/SUPER_SECRET|staff/);
});
