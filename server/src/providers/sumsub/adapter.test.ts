import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type DocumentSubmission, ProviderDown, ProviderSlow } from "../../customers/port.ts";
import { sampleJpeg, samplePdf, samplePng, sampleWebp } from "../../customers/sample-images.ts";
import { newId } from "../../foundation/ids.ts";
import { Sumsub, type SumsubConfig } from "./adapter.ts";
import { type Fault, PretendSumsub } from "./pretend-sumsub.ts";

let server: PretendSumsub;

beforeEach(async () => {
  server = new PretendSumsub();
  await server.start();
});

afterEach(() => server.stop());

const alpha3: Record<string, string> = { NG: "NGA", GH: "GHA", GB: "GBR" };

function sumsub(change: Partial<SumsubConfig> = {}): Sumsub {
  const { baseUrl, appToken, secretKey, webhookSecret, levelNames } = server;
  return new Sumsub({
    baseUrl,
    appToken,
    secretKey,
    webhookSecret,
    levelNames,
    alpha3Of: (alpha2) => alpha3[alpha2] ?? "",
    backOffMs: 1,
    ...change,
  });
}

const kycToken = newId("kyc", 0);
const address = {
  street: "1 Marina",
  city: "Lagos",
  state: "Lagos",
  postalCode: "100001",
  country: "NG",
};

const passport: DocumentSubmission = {
  kycToken,
  idType: "PASSPORT",
  idNumber: "A01234567",
  firstName: "Adaeze",
  lastName: "Ọbí 👑",
  dateOfBirth: "1992-04-15",
  email: "ada@example.com",
  phoneNumber: "+2348000000000",
  address,
  front: { mediaType: "image/jpeg", bytes: sampleJpeg() },
};

const business = {
  kycToken,
  registeredName: "Obi & Sons Ltd",
  registrationNumber: "RC123456",
  email: "office@example.com",
  address,
};

const bvn = {
  kycToken,
  idType: "BVN",
  idNumber: "22222222222",
  firstName: "Ada",
  lastName: "Obi",
} as const;

const adaFound = {
  answer: "GREEN",
  extractedDoc: { firstName: "ADA", middleName: "CHI", lastName: "OBI", dob: "1992-04-15" },
};

const BVN = "TAX_PAYER_NUMBER_DOC 22222222222";
const NIN = "ID_CARD 11111111111";

// ---- documents and businesses

test("a document becomes an applicant with its image, and its check is requested", async () => {
  const { providerId } = await sumsub().submitDocument(passport);
  const applicant = server.applicant(kycToken);
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
  await sumsub().submitDocument({ ...card, idType: "GHANA_CARD", back });
  const { uploads } = server.applicant(kycToken);
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
  await sumsub().submitDocument({ ...passport, idType });
  expect(server.applicant(kycToken).uploads[0]?.metadata.idDocType).toBe(idDocType);
});

test("a business becomes a company applicant", async () => {
  const { providerId } = await sumsub().submitBusiness(business);
  expect(server.applicant(kycToken)).toMatchObject({
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
  const first = await sumsub().submitDocument(passport);
  const second = await sumsub().submitDocument(passport);
  expect(second).toEqual(first);
  expect(server.applicants).toHaveLength(1);
  expect(server.applicant(kycToken).uploads).toHaveLength(1);
});

test.each([0, 1, 2])(
  "an answer that is lost at step %i leaves one applicant, one image, one check",
  async (step) => {
    server.lateFaults = [...Array<undefined>(step), reset];
    const { providerId } = await sumsub().submitDocument(passport);
    const applicant = server.applicant(kycToken);
    expect(providerId).toBe(applicant.id);
    expect(server.applicants).toHaveLength(1);
    expect(applicant.uploads).toHaveLength(1);
    expect(applicant.reviewStatus).toBe("pending");
  },
);

test.each([0, 1, 2])("a submission that broke off at step %i is taken up again", async (step) => {
  server.faults = [...Array<undefined>(step), ...Array<Fault>(3).fill(reset)];
  await expect(sumsub().submitDocument(passport)).rejects.toBeInstanceOf(ProviderDown);
  await sumsub().submitDocument(passport);
  expect(server.applicants).toHaveLength(1);
  expect(server.applicant(kycToken).uploads).toHaveLength(1);
  expect(server.applicant(kycToken).reviewStatus).toBe("pending");
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
  const submission = await sumsub().submitDocument({ ...passport, front });
  expect(submission).toEqual({
    providerId: server.applicant(kycToken).id,
    rejection: { status: "Rejected", rejectType: "RETRY", rejectLabels: [label] },
  });
});

test("a level that asks for more than we send is a fault of the operator's", async () => {
  server.asksForMore = true;
  await expect(sumsub().submitDocument(passport)).rejects.toThrow(
    "Sumsub answered the request for a check with 409, correlation id req-pretend-1",
  );
});

// ---- outcomes

test("the outcome follows the review", async () => {
  const provider = sumsub();
  const { providerId } = await provider.submitDocument(passport);
  const applicant = server.applicant(kycToken);
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
    await expect(sumsub().readOutcome(providerId)).rejects.toBeInstanceOf(ProviderDown);
  },
);

test("a call-back is read with the webhook's own secret", () => {
  const reading = sumsub().readCallback(Buffer.from("{}"), {}, new Date());
  expect(reading).toEqual({ kind: "Refused", reason: "BAD_SIGNATURE" });
});

// ---- numbers

test("a BVN is looked up as a tax number, and its holder is told", async () => {
  server.register.set(BVN, adaFound);
  const holder = await sumsub().verifyNumber(bvn);
  expect(holder).toEqual({
    found: true,
    firstName: "ADA",
    lastName: "OBI",
    dateOfBirth: "1992-04-15",
    objections: [],
  });
  const { lookUps, levelName, fixedInfo } = server.applicant(kycToken);
  expect(levelName).toBe("ng number");
  expect(lookUps).toEqual([{ info: { country: "NGA", tin: "22222222222" } }]);
  // What was submitted is for our rules, not for theirs.
  expect(fixedInfo).toEqual({ country: "NGA" });
});

test.each([
  ["NIN", "11111111111"],
  ["vNIN", "AB12345678901234"],
] as const)("a %s is looked up as a document's number", async (idType, idNumber) => {
  server.register.set(`ID_CARD ${idNumber}`, adaFound);
  await expect(sumsub().verifyNumber({ ...bvn, idType, idNumber })).resolves.toMatchObject({
    found: true,
    dateOfBirth: "1992-04-15",
  });
  expect(server.applicant(kycToken).lookUps).toEqual([
    { idDoc: { country: "NGA", idDocType: "ID_CARD", number: idNumber } },
  ]);
});

test.each<[string, Record<string, unknown> | undefined]>([
  ["no data", undefined],
  ["an invalid number", { answer: "RED", violations: ["INVALID_DOC_NUMBER"] }],
  ["invalid data", { errorCode: 9100 }],
  ["too little data", { errorCode: 9104 }],
])("%s under the number is not found", async (_, found) => {
  if (found !== undefined) server.register.set(BVN, found);
  await expect(sumsub().verifyNumber(bvn)).resolves.toEqual({ found: false });
});

test.each<[string[], string[]]>([
  [["NAME_MISMATCH", "BDATE_MISMATCH", "GENDER_MISMATCH"], []], // ours to compare
  [["INVALID_ID_STATUS"], ["OTHER"]],
  [["PERSON_IS_MINOR"], ["UNDERAGE"]],
  [["SOMETHING_NEW"], ["OTHER"]],
])(
  "violations %j of a holder who was found are the objections %j",
  async (violations, objections) => {
    server.register.set(BVN, { ...adaFound, answer: "RED", violations });
    await expect(sumsub().verifyNumber(bvn)).resolves.toMatchObject({ found: true, objections });
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
  server.register.set(key, found);
  const query = key === BVN ? bvn : ({ ...bvn, idType: "NIN", idNumber: "11111111111" } as const);
  await expect(sumsub().verifyNumber(query)).rejects.toBeInstanceOf(ProviderDown);
});

test("a look-up that is under way is waited for", async () => {
  const check: Record<string, unknown> = { answer: "YELLOW" };
  server.register.set(BVN, check);
  server.faults = [
    undefined,
    undefined,
    // The first reading of the check is answered with what the documentation calls in progress.
    (_, response) => {
      json(response, 200, { checks: [{ checkType: "E_KYC_CHECK", answer: "YELLOW" }] });
      Object.assign(server.applicant(kycToken).checks[0] ?? {}, adaFound);
    },
  ];
  await expect(sumsub().verifyNumber(bvn)).resolves.toMatchObject({ found: true });
});

test("a look-up that does not end in time is too slow", async () => {
  server.register.set(BVN, { answer: "YELLOW" });
  await expect(sumsub({ deadlineMs: 100 }).verifyNumber(bvn)).rejects.toBeInstanceOf(ProviderSlow);
});

test("asking again about the same number pays for no second look-up", async () => {
  server.register.set(BVN, adaFound);
  await sumsub().verifyNumber(bvn);
  await expect(sumsub().verifyNumber(bvn)).resolves.toMatchObject({ found: true });
  expect(server.applicant(kycToken).lookUps).toHaveLength(1);
});

test("after a look-up that failed, asking again looks up again", async () => {
  server.register.set(BVN, { answer: "ERROR" });
  await expect(sumsub().verifyNumber(bvn)).rejects.toBeInstanceOf(ProviderDown);
  server.register.set(BVN, adaFound);
  await expect(sumsub().verifyNumber(bvn)).resolves.toMatchObject({ found: true });
});

test("a look-up whose answer was lost is not simply sent again", async () => {
  server.register.set(BVN, adaFound);
  server.lateFaults = [undefined, reset];
  await expect(sumsub().verifyNumber(bvn)).rejects.toBeInstanceOf(ProviderDown);
  expect(server.applicant(kycToken).lookUps).toHaveLength(1);
});

// ---- faults: whatever happens on the way is ProviderDown or ProviderSlow, at every step

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

const reset: Fault = (request) => {
  request.socket.resetAndDestroy();
};

const hang: Fault = () => {};

const drip: Fault = (request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 10);
  request.socket.on("close", () => clearInterval(timer));
};

const huge: Fault = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const megabyte = Buffer.alloc(1024 * 1024, "[");
  const pour = (): void => {
    while (!response.destroyed && response.write(megabyte));
  };
  response.on("drain", pour);
  pour();
};

const status =
  (code: number, headers: Record<string, string> = {}): Fault =>
  (_, response) => {
    response.writeHead(code, headers).end("{}");
  };

const body =
  (text: string): Fault =>
  (_, response) => {
    response.end(text);
  };

const personal = JSON.stringify({
  description: `Applicant Ada Obi with 22222222222 is wrong: ${"x".repeat(50)}`,
  code: 400,
  errorCode: "1004",
  correlationId: "a b c",
});

const faults: [string, Fault, typeof ProviderDown | typeof ProviderSlow][] = [
  ["a connection that breaks", reset, ProviderDown],
  ["no answer", hang, ProviderSlow],
  ["an answer that never ends", drip, ProviderSlow],
  ["a huge answer", huge, ProviderDown],
  ["an HTML page", body("<html>down for maintenance</html>"), ProviderDown],
  ["half an answer", body('{"id":'), ProviderDown],
  ["an empty answer", body(""), ProviderDown],
  ["another answer", body('{"id":["a"],"checks":1,"reviewStatus":{}}'), ProviderDown],
  [
    "an id that leads elsewhere",
    body('{"id":"../../x","checks":null,"reviewStatus":1}'),
    ProviderDown,
  ],
  ["400", status(400), ProviderDown],
  ["400 about a person", (_, response) => json(response, 400, JSON.parse(personal)), ProviderDown],
  ["401", status(401), ProviderDown],
  ["403", status(403), ProviderDown],
  ["404", status(404), ProviderDown],
  ["429", status(429), ProviderDown],
  ["429 with a long Retry-After", status(429, { "retry-after": "60" }), ProviderDown],
  ["409 with a long Retry-After", status(409, { "retry-after": "60" }), ProviderDown],
  ["500", status(500), ProviderDown],
  ["502", status(502), ProviderDown],
  ["503 with Retry-After", status(503, { "retry-after": "60" }), ProviderDown],
  ["a redirect", status(302, { location: "http://127.0.0.1:9/" }), ProviderDown],
  ["a permanent redirect", status(308, { location: "/resources/applicants" }), ProviderDown],
];

const steps: [string, number, (provider: Sumsub) => Promise<unknown>][] = [
  ["opening an applicant", 0, (provider) => provider.submitDocument(passport)],
  ["uploading", 1, (provider) => provider.submitDocument(passport)],
  ["opening a company", 0, (provider) => provider.submitBusiness(business)],
  ["opening for a number", 0, (provider) => provider.verifyNumber(bvn)],
  ["looking a number up", 1, (provider) => provider.verifyNumber(bvn)],
  ["reading a look-up", 2, (provider) => provider.verifyNumber(bvn)],
  ["reading an outcome", 0, (provider) => provider.readOutcome("5cb56e8e0a975a35f333cb83")],
];

/** Nothing is read from the answer to an upload, so these are none the worse. */
const goodEnoughForAnUpload = ["an empty answer", "another answer", "an id that leads elsewhere"];

test.each(steps)(
  "whatever goes wrong while %s is a fault of the provider's",
  async (what, step, act) => {
    for (const [name, fault, expected] of faults) {
      if (what === "uploading" && goodEnoughForAnUpload.includes(name)) continue;
      server.applicants.length = 0;
      server.faults = [...Array<undefined>(step), ...Array<Fault>(20).fill(fault)];
      const spanMs = expected === ProviderSlow ? 100 : 20_000;
      const provider = sumsub({ deadlineMs: spanMs, submitDeadlineMs: spanMs, maxFaults: 100 });
      const error: unknown = await act(provider).then(
        (value) => `${name} gave ${JSON.stringify(value)}`,
        (thrown: unknown) => thrown,
      );
      expect(error, name).toBeInstanceOf(expected);
      const { message, stack, cause } = error as Error;
      const said = `${message} ${stack} ${cause instanceof Error ? cause.stack : cause}`;
      expect(said).not.toMatch(/Ada|22222222222|A01234567|pretend-secret|sbx:|maintenance/);
    }
  },
);

test("a redirect is not followed, so that no signed request goes elsewhere", async () => {
  server.faults = [status(307, { location: "/elsewhere" })];
  await expect(sumsub().readOutcome("abc")).rejects.toThrow("Sumsub answered 307");
  expect(server.calls).toEqual(["GET /resources/applicants/abc/status"]);
});

test("nobody there is a fault of the provider's", async () => {
  const provider = sumsub({ baseUrl: "http://127.0.0.1:1" });
  await expect(provider.submitDocument(passport)).rejects.toBeInstanceOf(ProviderDown);
  await expect(provider.verifyNumber(bvn)).rejects.toBeInstanceOf(ProviderDown);
});

test("a name that leads nowhere is a fault of the provider's", async () => {
  const provider = sumsub({ baseUrl: "http://sumsub.invalid" });
  await expect(provider.readOutcome("abc")).rejects.toBeInstanceOf(ProviderDown);
});

test.each([
  ["another secret", { secretKey: "wrong" }],
  ["another token", { appToken: "wrong" }],
  ["a clock that is wrong", { nowMs: () => Date.now() - 120_000 }],
  ["a level that is not there", { levelNames: { number: "x", document: "x", business: "x" } }],
])("%s is found out at once, and is no rejection", async (_, change) => {
  await expect(sumsub(change).submitDocument(passport)).rejects.toBeInstanceOf(ProviderDown);
  expect(server.calls).toHaveLength(1);
});

test.each([
  ["a broken connection", reset],
  ["500", status(500)],
  ["429 with Retry-After", status(429, { "retry-after": "0" })],
  ["409 with Retry-After", status(409, { "retry-after": "0" })],
  ["an HTML page", body("<html>")],
])("%s twice in a row is made good by a third attempt", async (_, fault) => {
  server.faults = [fault, fault];
  await sumsub().submitBusiness(business);
  expect(server.applicant(kycToken).reviewStatus).toBe("pending");
  expect(server.calls).toHaveLength(4);
});

test("the deadline is for the whole, and a caller may end it sooner", async () => {
  server.faults = Array<Fault>(20).fill(hang);
  const impatient = AbortSignal.timeout(50);
  const provider = sumsub({ deadlineMs: 600_000, attemptTimeoutMs: 600_000 });
  await expect(provider.verifyNumber({ ...bvn, signal: impatient })).rejects.toBeInstanceOf(
    ProviderSlow,
  );
  await expect(provider.readOutcome("abc", AbortSignal.abort())).rejects.toBeInstanceOf(
    ProviderSlow,
  );
});

test("attempts that hang are given up and repeated within the deadline", async () => {
  server.faults = [hang, hang];
  await sumsub({ attemptTimeoutMs: 50 }).submitBusiness(business);
  expect(server.applicant(kycToken).reviewStatus).toBe("pending");
});

test("a provider that keeps failing is left alone, until it answers a probe", async () => {
  server.faults = Array<Fault>(4).fill(status(503));
  const time = { ms: 0 };
  const monotonicMs = () => time.ms;
  const provider = sumsub({ maxFaults: 4, openMs: 100, maxAttempts: 2, monotonicMs });
  const read = () => provider.readOutcome("5cb56e8e0a975a35f333cb83");
  await expect(read()).rejects.toThrow("Sumsub answered 503");
  await expect(read()).rejects.toThrow("Sumsub answered 503");
  expect(server.calls).toHaveLength(4);
  time.ms = 99;
  await expect(read()).rejects.toThrow("Sumsub failed too often of late");
  expect(server.calls).toHaveLength(4);
  time.ms = 100;
  // The server is well again and says that there is no such applicant.
  await expect(read()).rejects.toThrow("Sumsub answered review status with 404");
  await expect(read()).rejects.toThrow("Sumsub answered review status with 404");
  expect(server.calls).toHaveLength(6);
});

test("callers who hang up do not speak against the provider", async () => {
  const provider = sumsub({ maxFaults: 1 });
  server.faults = [hang];
  const controller = new AbortController();
  const asked = provider.readOutcome("5cb56e8e0a975a35f333cb83", controller.signal);
  await vi.waitUntil(() => server.calls.length === 1);
  controller.abort();
  await expect(asked).rejects.toBeInstanceOf(ProviderSlow);
  await expect(provider.submitBusiness(business)).resolves.toHaveProperty("providerId");
});

test.each([
  [0, 60_000],
  [1, 120_000],
  [6, 3_600_000],
  [5_000, 3_600_000],
])("after %i questions it is asked again in %i ms", (questions, waitMs) => {
  expect(sumsub().pollAfterMs(questions)).toBe(waitMs);
});
