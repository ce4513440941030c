import { expect, test } from "vitest";
import type { Fault } from "../../../test/harness/pretend-sumsub.ts";
import {
  sampleJpeg,
  samplePdf,
  samplePng,
  sampleWebp,
} from "../../../test/harness/sample-images.ts";
import { reset } from "../../../test/harness/sumsub-faults.ts";
import {
  business,
  kycToken,
  passport,
  serverForEachTest,
} from "../../../test/harness/sumsub-submissions.ts";
import { ProviderDown } from "../../customers/port.ts";

const theirs = serverForEachTest();

test("a document becomes an applicant with its image, and its check is requested", async () => {
  const { providerId } = await theirs.adapter().submitDocument(passport);
  const applicant = theirs.server.applicant(kycToken);
  expect(providerId).toBe(applicant.id);
  expect(applicant).toMatchObject({
    levelName: "kyc@document",
    type: "individual",
    email: "ada@example.com",
    phone: "+2348000000000",
    fixedInfo: {
      firstName: "Adaeze",
      lastName: "Ọbí 👑",
      dob: "1992-04-15",
      addresses: [
        { street: "1 Marina", town: "Lagos", state: "Lagos", postCode: "100001", country: "NGA" },
      ],
    },
    reviewStatus: "pending",
  });
  expect(applicant.uploads).toEqual([
    {
      metadata: {
        idDocType: "PASSPORT",
        country: "NGA",
        number: "A01234567",
        firstName: "Adaeze",
        lastName: "Ọbí 👑",
        dob: "1992-04-15",
      },
      mediaType: "image/jpeg",
      bytes: sampleJpeg(),
    },
  ]);
});

test("both sides of a card are uploaded as such", async () => {
  const back = { mediaType: "image/png", bytes: samplePng() } as const;
  const { address: _, idNumber: __, ...card } = passport;
  await theirs.adapter().submitDocument({ ...card, idType: "GHANA_CARD", back });
  const { uploads } = theirs.server.applicant(kycToken);
  expect(uploads.map(({ metadata }) => metadata.idDocSubType)).toEqual(["FRONT_SIDE", "BACK_SIDE"]);
  expect(uploads.map(({ bytes }) => bytes)).toEqual([sampleJpeg(), samplePng()]);
  expect(uploads[0]?.metadata).toMatchObject({ idDocType: "ID_CARD", country: "GHA" });
});

test.each([
  ["PASSPORT", "PASSPORT"],
  ["NATIONAL_ID", "ID_CARD"],
  ["DRIVERS_LICENSE", "DRIVERS"],
  ["VOTERS_CARD", "ID_CARD"],
] as const)("a %s is a %s to Sumsub", async (idType, idDocType) => {
  await theirs.adapter().submitDocument({ ...passport, idType });
  expect(theirs.server.applicant(kycToken).uploads[0]?.metadata.idDocType).toBe(idDocType);
});

test("a business becomes a company applicant", async () => {
  const { providerId } = await theirs.adapter().submitBusiness(business);
  expect(theirs.server.applicant(kycToken)).toMatchObject({
    id: providerId,
    levelName: "kyb-level",
    type: "company",
    email: "office@example.com",
    fixedInfo: {
      companyInfo: {
        companyName: "Obi & Sons Ltd",
        registrationNumber: "RC123456",
        country: "NGA",
        legalAddress: "1 Marina, Lagos, Lagos, 100001",
      },
    },
    reviewStatus: "pending",
  });
});

test("submitting again under the same token submits nothing new", async () => {
  const first = await theirs.adapter().submitDocument(passport);
  const second = await theirs.adapter().submitDocument(passport);
  expect(second).toEqual(first);
  expect(theirs.server.applicants).toHaveLength(1);
  expect(theirs.server.applicant(kycToken).uploads).toHaveLength(1);
});

test.each([0, 1, 2])(
  "an answer that is lost at step %i leaves one applicant, one image, one check",
  async (step) => {
    theirs.server.lateFaults = [...Array<undefined>(step), reset];
    const { providerId } = await theirs.adapter().submitDocument(passport);
    const applicant = theirs.server.applicant(kycToken);
    expect(providerId).toBe(applicant.id);
    expect(theirs.server.applicants).toHaveLength(1);
    expect(applicant.uploads).toHaveLength(1);
    expect(applicant.reviewStatus).toBe("pending");
  },
);

test.each([0, 1, 2])("a submission that broke off at step %i is taken up again", async (step) => {
  theirs.server.faults = [...Array<undefined>(step), ...Array<Fault>(3).fill(reset)];
  await expect(theirs.adapter().submitDocument(passport)).rejects.toBeInstanceOf(ProviderDown);
  await theirs.adapter().submitDocument(passport);
  expect(theirs.server.applicants).toHaveLength(1);
  expect(theirs.server.applicant(kycToken).uploads).toHaveLength(1);
  expect(theirs.server.applicant(kycToken).reviewStatus).toBe("pending");
});

test.each([
  [
    "of a format that it does not take",
    { mediaType: "image/webp", bytes: sampleWebp() },
    "UNSUPPORTED_DOCUMENT",
  ],
  [
    "that is encrypted",
    { mediaType: "application/pdf", bytes: samplePdf("/Encrypt 3 0 R") },
    "UNREADABLE",
  ],
] as const)("a file %s is a rejection at once", async (_, front, label) => {
  const submission = await theirs.adapter().submitDocument({ ...passport, front });
  expect(submission).toEqual({
    providerId: theirs.server.applicant(kycToken).id,
    rejection: { status: "Rejected", rejectType: "RETRY", rejectLabels: [label] },
  });
});

test("a level that asks for more than we send is a fault of the operator's", async () => {
  theirs.server.asksForMore = true;
  await expect(theirs.adapter().submitDocument(passport)).rejects.toThrow(
    "Sumsub answered the request for a check with 409, correlation id req-pretend-1",
  );
});

test("the outcome follows the review", async () => {
  const provider = theirs.adapter();
  const { providerId } = await provider.submitDocument(passport);
  const applicant = theirs.server.applicant(kycToken);
  await expect(provider.readOutcome(providerId)).resolves.toEqual({ status: "Pending" });
  applicant.reviewStatus = "completed";
  applicant.reviewResult = {
    reviewAnswer: "RED",
    reviewRejectType: "RETRY",
    rejectLabels: ["UNSATISFACTORY_PHOTOS"],
    moderationComment: "Please upload a better photo",
  };
  await expect(provider.readOutcome(providerId)).resolves.toEqual({
    status: "Rejected",
    rejectType: "RETRY",
    rejectLabels: ["UNREADABLE"],
  });
  applicant.reviewResult = { reviewAnswer: "GREEN" };
  await expect(provider.readOutcome(providerId)).resolves.toEqual({ status: "Approved" });
});

test.each(["5cb56e8e0a975a35f333cb83", "", "../count", "x?y=1"])(
  "an applicant %j that is not there is a fault, not a verdict",
  async (providerId) => {
    await expect(theirs.adapter().readOutcome(providerId)).rejects.toBeInstanceOf(ProviderDown);
  },
);

test("a call-back is read with the webhook's own secret", () => {
  const reading = theirs.adapter().readCallback(Buffer.from("{}"), {}, new Date());
  expect(reading).toEqual({ kind: "Refused", reason: "BAD_SIGNATURE" });
});
