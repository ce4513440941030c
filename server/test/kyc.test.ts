import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectEnvelope, expectRefusal, fieldsOf, verdict } from "./harness/answers.ts";
import { newReference } from "./harness/api-client.ts";
import { until } from "./harness/eventually.ts";
import {
  accra,
  business,
  bvn,
  CUSTOMER_ID,
  image,
  KYC_TOKEN,
  lagos,
  nin,
  passport,
  statusOf,
  verifyBusiness,
  verifyIndividual,
  vnin,
} from "./harness/kyc.ts";
import { sampleJpeg, samplePdf, sampleWebp } from "./harness/sample-images.ts";
import { startTestService, type TestService } from "./harness/service.ts";

let service: TestService;
let database: pg.Client;
const lines: string[] = [];
beforeAll(async () => {
  service = await startTestService(
    // Long enough that nothing is decided by itself here.
    { FLORIN_SANDBOX_KYC_DELAY_MS: "3600000", FLORIN_LOG_LEVEL: "trace" },
    { log: { write: (line) => void lines.push(line) } },
  );
  database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.stop();
});

const verify = (body: unknown, reference = newReference()) =>
  verifyIndividual(service.client, body, { reference });

async function eventsOf(clientReference: string): Promise<{ type: string; data: unknown }[]> {
  const { rows } = await database.query(
    `select event_type as type, data, client_reference as "clientReference" from events
      where client_reference = $1 order by event_id`,
    [clientReference],
  );
  return rows.map(({ type, data }) => ({ type, data }));
}

const countOf = async (clientReference: string): Promise<number | null> => {
  const { rowCount } = await database.query(
    `select from kyc_verifications v full join customers c using (organization_id, client_reference)
      where client_reference = $1`,
    [clientReference],
  );
  return rowCount;
};

describe("a number is looked up while the client waits:", () => {
  test.each([
    ["a BVN whose holder has both names", bvn()],
    ["a BVN whose holder has the first name", bvn({ lastName: "Anything" })],
    ["a BVN whose holder has the last name", bvn({ firstName: "Anything" })],
    ["a BVN with the names swapped", bvn({ firstName: "obi", lastName: "ADA" })],
    ["a BVN without a date of birth, or with any", bvn({ dateOfBirth: "1970-01-01" })],
    ["a BVN born on the earliest day", bvn({ dateOfBirth: "1900-01-01" })],
    ["a BVN, the country written out", bvn({ address: { ...lagos, country: "Nigeria" } })],
    ["a BVN, the country in three letters", bvn({ address: { ...lagos, country: "nga" } })],
    ["a BVN with all that may be said", bvn({ email: "a@b.co", phoneNumber: "+234 803 123 4567" })],
    ["a BVN with an image that nobody needs", bvn({ idFrontImage: image })],
    ["a NIN", nin()],
    ["a vNIN", vnin()],
    ["a vNIN in small letters", vnin({ idNumber: "ab12345678901234" })],
    [
      "a BVN with accents left out",
      bvn({ idNumber: "22222222223", firstName: "YEMI", lastName: "x" }),
    ],
    [
      "a NIN with other spaces",
      nin({ idNumber: "11111111113", lastName: "Dan Juma", dateOfBirth: "1979-12-01" }),
    ],
  ])("%s is Approved", async (_name, body) => {
    const answer = await verify(body);
    expectEnvelope(answer);
    expect(verdict(answer)).toBe("200/000");
    expect(answer.body.data).toEqual({
      kycToken: expect.stringMatching(KYC_TOKEN),
      clientReference: body.clientReference,
      status: "Approved",
      customerId: expect.stringMatching(CUSTOMER_ID),
    });
    expect((await statusOf(service.client, answer.body.data.kycToken)).body.data).toEqual(
      answer.body.data,
    );
    expect(await eventsOf(body.clientReference)).toEqual([
      { type: "kyc.approved", data: answer.body.data },
    ]);
  });

  test.each([
    ["a BVN of somebody else", bvn({ firstName: "Eve", lastName: "Ike" }), ["NAME_MISMATCH"]],
    ["a BVN that is not found", bvn({ idNumber: "33333333333" }), ["NOT_FOUND"]],
    ["a NIN that is not found", nin({ idNumber: "33333333333" }), ["NOT_FOUND"]],
    ["a NIN born another day", nin({ dateOfBirth: "1990-01-30" }), ["DOB_MISMATCH"]],
    ["a vNIN born another day", vnin({ dateOfBirth: "1991-01-31" }), ["DOB_MISMATCH"]],
    [
      "a NIN of somebody else born another day",
      nin({ firstName: "Eve", lastName: "Ike", dateOfBirth: "2000-02-29" }),
      ["NAME_MISMATCH", "DOB_MISMATCH"],
    ],
    ["a BVN sent as a NIN", nin({ idNumber: "22222222222" }), ["NOT_FOUND"]],
  ])("%s is Rejected, with success", async (_name, body, rejectLabels) => {
    const answer = await verify(body);
    expect(verdict(answer)).toBe("200/000");
    const expected = {
      kycToken: expect.stringMatching(KYC_TOKEN),
      clientReference: body.clientReference,
      status: "Rejected",
      rejectType: "RETRY",
      rejectLabels,
    };
    expect(answer.body.data).toEqual(expected);
    expect((await statusOf(service.client, answer.body.data.kycToken)).body.data).toEqual(expected);
    expect(await eventsOf(body.clientReference)).toEqual([
      { type: "kyc.rejected", data: expected },
    ]);
  });

  test("success is kept with its Reference", async () => {
    const reference = newReference();
    const body = bvn();
    const { kycToken } = (await verify(body, reference)).body.data;
    const { body: found } = await service.client.get(`/requests/${reference}`);
    expect(found.data).toMatchObject({ state: "Succeeded", resourceId: kycToken, httpStatus: 200 });
    expectRefusal(await verify(body, reference), "400/139");
    expect(await eventsOf(body.clientReference)).toHaveLength(1);
  });

  test("also a rejection uses its Reference up: the verification ran", async () => {
    const reference = newReference();
    const body = bvn({ idNumber: "33333333333" });
    expect(verdict(await verify(body, reference))).toBe("200/000");
    expectRefusal(await verify(body, reference), "400/139");
  });

  test("one Reference ten times at once verifies once", async () => {
    const reference = newReference();
    const body = nin();
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify(body, reference)));
    expect(answers.map(verdict).sort()).toEqual(["200/000", ...Array(9).fill("400/139")]);
    expect(await eventsOf(body.clientReference)).toHaveLength(1);
  });
});

describe("a provider without an answer is nobody's rejection:", () => {
  test.each([
    ["down", bvn({ idNumber: "44444444444" }), "502/152"],
    ["down", nin({ idNumber: "44444444444" }), "502/152"],
    ["down", vnin({ idNumber: "DN44444444444444" }), "502/152"],
  ])("%s for %j", async (_how, body, expected) => {
    const reference = newReference();
    const answer = await verify(body, reference);
    expectRefusal(answer, expected);
    expect(answer.body.finality).toBe("Indeterminate");
    expect(await countOf(body.clientReference)).toBe(0);
    expect(await eventsOf(body.clientReference)).toEqual([]);
    const { body: found } = await service.client.get(`/requests/${reference}`);
    expect(found.data).toMatchObject({
      state: "Failed",
      httpStatus: 502,
      responseCode: "152",
      resourceId: null,
    });
    // The same again runs again; another payload does not.
    expectRefusal(await verify(body, reference), expected);
    expectRefusal(await verify(bvn(), reference), "400/139");
  });

  test("too slow is 504/172, and until then it is in progress", async () => {
    const reference = newReference();
    const body = bvn({ idNumber: "55555555555" });
    const first = verify(body, reference);
    const others = ["NIN", "vNIN"].map((idType) =>
      verify(nin({ idType, idNumber: idType === "NIN" ? "55555555555" : "SL55555555555555" })),
    );
    await until("it is in progress", async () => {
      const { body: found } = await service.client.get(`/requests/${reference}`);
      return found.data.state === "InProgress" && found.data.resourceId === null;
    });
    for (const answer of await Promise.all([first, ...others])) {
      expectRefusal(answer, "504/172");
      expect(answer.body.finality).toBe("Indeterminate");
    }
    expect(await countOf(body.clientReference)).toBe(0);
    expect((await service.client.get(`/requests/${reference}`)).body.data).toMatchObject({
      state: "Failed",
      httpStatus: 504,
      responseCode: "172",
    });
  });
});

describe("what is submitted later is Initiated:", () => {
  test.each([
    ["a passport", passport()],
    ["an identity card", passport({ idType: "NATIONAL_ID", idNumber: "1234 5678" })],
    ["a driving licence", passport({ idType: "DRIVERS_LICENSE", idNumber: "ABC-12345/AA12" })],
    ["a voter's card", passport({ idType: "VOTERS_CARD", idBackImage: image })],
    ["a Ghana card", passport({ idType: "GHANA_CARD", address: accra })],
    ["a data URI", passport({ idFrontImage: `data:image/png;base64,${image}` })],
    ["a JPEG", passport({ idFrontImage: sampleJpeg().toString("base64") })],
    ["a WebP", passport({ idFrontImage: sampleWebp().toString("base64") })],
    ["a PDF", passport({ idFrontImage: samplePdf().toString("base64") })],
  ])("%s", async (_name, body) => {
    const answer = await verify(body);
    expectEnvelope(answer);
    expect(answer.body.data).toEqual({
      kycToken: expect.stringMatching(KYC_TOKEN),
      clientReference: body.clientReference,
      status: "Initiated",
    });
    expect((await eventsOf(body.clientReference))[0]).toEqual({
      type: "kyc.initiated",
      data: answer.body.data,
    });
  });

  test("a business", async () => {
    const body = business({ email: "info@example.com" });
    const reference = newReference();
    const answer = await verifyBusiness(service.client, body, { reference });
    expect(answer.body.data).toEqual({
      kycToken: expect.stringMatching(KYC_TOKEN),
      clientReference: body.clientReference,
      status: "Initiated",
    });
    const { body: found } = await service.client.get(`/requests/${reference}`);
    expect(found.data).toMatchObject({
      state: "Succeeded",
      resourceId: answer.body.data.kycToken,
    });
    expectRefusal(await verifyBusiness(service.client, body, { reference }), "400/139");
  });
});

const names = (field: string) => `individualKyc.${field}`;

describe("a person is refused with 400/131 that names the field:", () => {
  test.each<[string, unknown, string[]]>([
    ["no reference", { individualKyc: bvn().individualKyc }, ["clientReference"]],
    ["an empty reference", bvn({}, ""), ["clientReference"]],
    ["a blank reference", bvn({}, "  "), ["clientReference"]],
    ["a very long reference", bvn({}, "x".repeat(201)), ["clientReference"]],
    ["a reference with a zero byte", bvn({}, "a\u0000b"), ["clientReference"]],
    ["half a character", bvn({}, "a\ud800b"), ["clientReference"]],
    ["no person", { clientReference: "x" }, ["individualKyc"]],
    ["a business instead", business(), ["individualKyc", "businessKyc"]],
    ["no kind", bvn({ idType: undefined }), [names("idType")]],
    ["an unknown kind", bvn({ idType: "bvn" }), [names("idType")]],
    ["a BVN without its number", bvn({ idNumber: undefined }), [names("idNumber")]],
    ["a number that is a number", bvn({ idNumber: 22222222222 }), [names("idNumber")]],
    ["a BVN of 10 digits", bvn({ idNumber: "2222222222" }), [names("idNumber")]],
    ["a NIN of 12 digits", nin({ idNumber: "111111111111" }), [names("idNumber")]],
    ["a vNIN of 15", vnin({ idNumber: "AB1234567890123" }), [names("idNumber")]],
    ["a vNIN of 17", vnin({ idNumber: "AB123456789012345" }), [names("idNumber")]],
    ["a passport without its number", passport({ idNumber: undefined }), [names("idNumber")]],
    ["no first name", bvn({ firstName: undefined }), [names("firstName")]],
    ["no last name", passport({ lastName: undefined }), [names("lastName")]],
    ["an empty name", bvn({ firstName: " " }), [names("firstName")]],
    ["a name that nobody sees", bvn({ firstName: "\u200b\u3164 \u2060" }), [names("firstName")]],
    ["a name of other blanks", bvn({ firstName: "\u2800\ufe0f\u034f" }), [names("firstName")]],
    ["a name of 101 characters", bvn({ lastName: "é".repeat(101) }), [names("lastName")]],
    ["a name of 10,000 characters", bvn({ lastName: "O".repeat(10_000) }), [names("lastName")]],
    ["a name with a line break", bvn({ lastName: "O\nbi" }), [names("lastName")]],
    ["a name turned around", bvn({ lastName: "O\u202ebi" }), [names("lastName")]],
    ["a BVN without an address", bvn({ address: undefined }), [names("address")]],
    ["a BVN from Ghana", bvn({ address: accra }), [names("address.country")]],
    ["a NIN from Ghana", nin({ address: accra }), [names("address.country")]],
    ["a vNIN from Ghana", vnin({ address: accra }), [names("address.country")]],
    [
      "no such country",
      bvn({ address: { ...lagos, country: "Erewhon" } }),
      [names("address.country")],
    ],
    ["no street", bvn({ address: { ...lagos, street: undefined } }), [names("address.street")]],
    ["no state", bvn({ address: { ...lagos, state: undefined } }), [names("address.state")]],
    ["more of an address", bvn({ address: { ...lagos, planet: "x" } }), [names("address.planet")]],
    ["a NIN without a birth", nin({ dateOfBirth: undefined }), [names("dateOfBirth")]],
    ["a vNIN without a birth", vnin({ dateOfBirth: undefined }), [names("dateOfBirth")]],
    ["30 February", nin({ dateOfBirth: "1990-02-30" }), [names("dateOfBirth")]],
    ["the day first", nin({ dateOfBirth: "31-01-1990" }), [names("dateOfBirth")]],
    ["born tomorrow", nin({ dateOfBirth: "2999-01-01" }), [names("dateOfBirth")]],
    ["born long ago", nin({ dateOfBirth: "1066-10-14" }), [names("dateOfBirth")]],
    ["no e-mail address", bvn({ email: "ada" }), [names("email")]],
    ["an e-mail address of 255", bvn({ email: `${"a@b.".padEnd(253, "c")}om` }), [names("email")]],
    ["no telephone number", bvn({ phoneNumber: "call me" }), [names("phoneNumber")]],
    ["a telephone number of 5 digits", bvn({ phoneNumber: "12345" }), [names("phoneNumber")]],
    ["one of 16 digits", bvn({ phoneNumber: "+1234567890123456" }), [names("phoneNumber")]],
    ["a document without an image", passport({ idFrontImage: undefined }), [names("idFrontImage")]],
    ["an image that is none", passport({ idFrontImage: "aGVsbG8=" }), [names("idFrontImage")]],
    ["no Base64", passport({ idFrontImage: "%%%%" }), [names("idFrontImage")]],
    ["a bad second image", passport({ idBackImage: "aGVsbG8=" }), [names("idBackImage")]],
    [
      "a lying data URI",
      passport({ idFrontImage: `data:image/jpeg;base64,${image}` }),
      [names("idFrontImage")],
    ],
    [
      "a Ghana card from Nigeria",
      passport({ idType: "GHANA_CARD", address: lagos }),
      [names("address.country")],
    ],
    ["a Ghana card from nowhere", passport({ idType: "GHANA_CARD" }), [names("address")]],
    ["an unknown field", bvn({ nickname: "x" }), [names("nickname")]],
    [
      "all that is wrong at once",
      nin({ firstName: undefined, idNumber: "1", dateOfBirth: undefined, address: undefined }),
      [names("firstName"), names("dateOfBirth"), names("address"), names("idNumber")],
    ],
    [
      "both images and the birth",
      passport({ dateOfBirth: "2999-01-01", idFrontImage: "aGVsbG8=", idBackImage: "aGVsbG8=" }),
      [names("dateOfBirth"), names("idFrontImage"), names("idBackImage")],
    ],
  ])("%s", async (_name, body, fields) => {
    const reference = newReference();
    const answer = await verify(body, reference);
    expectRefusal(answer, "400/131");
    expect(fieldsOf(answer).sort()).toEqual([...fields].sort());
    // It leaves no trace: mended, the same Reference works.
    const { body: found } = await service.client.get(`/requests/${reference}`);
    expect(found.data.state).toBe("Unknown");
  });
});

test.each<[string, unknown, string[]]>([
  ["no name", business({ registeredName: undefined }), ["businessKyc.registeredName"]],
  ["a long name", business({ registeredName: "x".repeat(201) }), ["businessKyc.registeredName"]],
  ["no number", business({ registrationNumber: undefined }), ["businessKyc.registrationNumber"]],
  ["a strange number", business({ registrationNumber: "<>" }), ["businessKyc.registrationNumber"]],
  ["no address", business({ address: undefined }), ["businessKyc.address"]],
  ["no city", business({ address: { ...lagos, city: "" } }), ["businessKyc.address.city"]],
  ["a person instead", bvn(), ["businessKyc", "individualKyc"]],
])("a business with %s is refused with 400/131", async (_name, body, fields) => {
  const answer = await verifyBusiness(service.client, body);
  expectRefusal(answer, "400/131");
  expect(fieldsOf(answer).sort()).toEqual(fields.sort());
});

test.each(["kyc_00000000000000000000000000", "kyc_x", "cus_1", "12345678901"])(
  "an unknown or malformed token is 404/157: %s",
  async (kycToken) => {
    expectRefusal(await statusOf(service.client, kycToken), "404/157");
  },
);

test("no number, birth or image reaches a log line, an event or any column in clear", async () => {
  await Promise.all([
    verify(bvn()),
    verify(nin({ dateOfBirth: "1990-01-30" })),
    verify(bvn({ idNumber: "44444444444" })),
    verify(bvn({ idNumber: "123456789AB" })),
    verify(passport({ dateOfBirth: "1990-01-30" })),
  ]);
  const { rows } = await database.query(
    `select coalesce(to_jsonb(e)::text, '') || coalesce(to_jsonb(c)::text, '')
            || coalesce((to_jsonb(v) - 'identity_sealed')::text, '') || coalesce(to_jsonb(r)::text, '') as text
       from events e full join customers c on false full join kyc_verifications v on false
       full join request_references r on false`,
  );
  expect(rows.length).toBeGreaterThan(10);
  await until("the requests are logged", () =>
    lines.some((line) => line.includes("/kyc/individual")),
  );
  const secrets = ["22222222222", "11111111111", "44444444444", "123456789AB", "A00123456"];
  for (const text of [...lines, ...rows.map((row) => row.text)]) {
    for (const secret of [...secrets, "1990-01-30", "iVBORw0KGgo"]) {
      expect(text).not.toContain(secret);
    }
  }
});
