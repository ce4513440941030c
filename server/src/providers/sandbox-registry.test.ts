import { expect, test } from "vitest";
import { samplePng } from "../../test/harness/sample-images.ts";
import type { KycAddress, NumberIdType } from "../customers/port.ts";
import { ProviderDown, ProviderSlow } from "../customers/port.ts";
import { decideNumber } from "../customers/rules.ts";
import { SandboxRegistry } from "./sandbox-registry.ts";

const START_MS = Date.UTC(2026, 0, 31);
const address: KycAddress = { street: "1 Marina", city: "Lagos", state: "Lagos", country: "NG" };

function sandbox() {
  const time = { nowMs: START_MS };
  const clock = { nowMs: () => time.nowMs, now: () => new Date(time.nowMs) };
  return { time, registry: new SandboxRegistry({ clock, delayMs: 5000, deadlineMs: 20 }) };
}

const ask = (idType: NumberIdType, idNumber: string, signal?: AbortSignal) =>
  sandbox().registry.verifyNumber({
    kycToken: "kyc_1",
    idType,
    idNumber,
    firstName: "Ada",
    lastName: "Obi",
    signal,
  });

test.each<[NumberIdType, string, string, string, string]>([
  ["BVN", "22222222222", "Ada", "Obi", "1992-04-15"],
  ["NIN", "11111111111", "Chinedu", "Okafor", "1990-01-31"],
  ["vNIN", "AB12345678901234", "Chinedu", "Okafor", "1990-01-31"],
  ["vNIN", "ab12345678901234", "Chinedu", "Okafor", "1990-01-31"],
  ["BVN", "22222222223", "Yẹmí", "Adéṣínà", "1988-02-29"],
])("%s %s is %s %s", async (idType, idNumber, firstName, lastName, dateOfBirth) => {
  const holder = await ask(idType, idNumber);
  expect(holder).toEqual({ found: true, firstName, lastName, dateOfBirth });
});

test.each<[NumberIdType, string]>([
  ["BVN", "33333333333"],
  ["NIN", "33333333333"],
  ["BVN", "12345678901"],
  ["NIN", "22222222222"], // a number of another kind
  ["BVN", "11111111111"],
  ["vNIN", "ZZ12345678901234"],
])("%s %s is not found", async (idType, idNumber) => {
  await expect(ask(idType, idNumber)).resolves.toEqual({ found: false });
});

test("names are found as people type them", async () => {
  const yemi = await ask("NIN", "11111111112");
  const hauwa = await ask("NIN", "11111111113");
  const submitted = { firstName: "yemi", lastName: "x", dateOfBirth: "1988-02-29" };
  expect(decideNumber("NIN", submitted, yemi).status).toBe("Approved");
  const danjuma = { firstName: "x", lastName: "Dan Juma", dateOfBirth: "1979-12-01" };
  expect(decideNumber("NIN", danjuma, hauwa).status).toBe("Approved");
});

test.each<[NumberIdType, string]>([
  ["BVN", "44444444444"],
  ["NIN", "44444444444"],
  ["vNIN", "DN44444444444444"],
])("for %s %s the registry is down", async (idType, idNumber) => {
  await expect(ask(idType, idNumber)).rejects.toBeInstanceOf(ProviderDown);
});

test.each<[NumberIdType, string]>([
  ["BVN", "55555555555"],
  ["NIN", "55555555555"],
  ["vNIN", "SL55555555555555"],
])("for %s %s the registry is too slow", async (idType, idNumber) => {
  await expect(ask(idType, idNumber)).rejects.toBeInstanceOf(ProviderSlow);
});

test("a caller who gives up ends the wait", async () => {
  const controller = new AbortController();
  const answer = new SandboxRegistry({
    clock: { nowMs: () => START_MS, now: () => new Date(START_MS) },
    delayMs: 0,
    deadlineMs: 3_600_000,
  }).verifyNumber({
    kycToken: "kyc_1",
    idType: "BVN",
    idNumber: "55555555555",
    firstName: "Ada",
    lastName: "Obi",
    signal: controller.signal,
  });
  controller.abort();
  await expect(answer).rejects.toBeInstanceOf(ProviderSlow);
  await expect(ask("BVN", "55555555555", AbortSignal.abort())).rejects.toBeInstanceOf(ProviderSlow);
});

test.each([
  ["Obi", { status: "Approved" }],
  ["Reject", { status: "Rejected", rejectType: "RETRY", rejectLabels: ["UNREADABLE"] }],
  ["Rejected", { status: "Approved" }],
])("a document of Ada %s is Pending for its time, then %j", async (lastName, outcome) => {
  const { time, registry } = sandbox();
  const { providerId } = await registry.submitDocument({
    kycToken: "kyc_1",
    idType: "PASSPORT",
    firstName: "Ada",
    lastName,
    front: { mediaType: "image/png", bytes: samplePng() },
  });
  await expect(registry.readOutcome(providerId)).resolves.toEqual({ status: "Pending" });
  time.nowMs += 4999;
  await expect(registry.readOutcome(providerId)).resolves.toEqual({ status: "Pending" });
  time.nowMs += 1;
  await expect(registry.readOutcome(providerId)).resolves.toEqual(outcome);
});

test.each([
  ["Obi & Sons Ltd", { status: "Approved" }],
  ["Reject", { status: "Rejected", rejectType: "RETRY", rejectLabels: ["NOT_FOUND"] }],
])("the business %s is Pending for its time, then %j", async (registeredName, outcome) => {
  const { time, registry } = sandbox();
  const { providerId } = await registry.submitBusiness({
    kycToken: "kyc_1",
    registeredName,
    registrationNumber: "RC123456",
    address,
  });
  await expect(registry.readOutcome(providerId)).resolves.toEqual({ status: "Pending" });
  time.nowMs += 5000;
  await expect(registry.readOutcome(providerId)).resolves.toEqual(outcome);
});

test("it is asked for the first time when its time is over", () => {
  const { registry } = sandbox();
  expect([0, 1, 2].map((questions) => registry.pollAfterMs(questions))).toEqual([5000, 1000, 1000]);
});

test("an id that it did not give is a fault, not a verdict", async () => {
  const { registry } = sandbox();
  for (const id of ["", "sandbox-document-maybe-1", "../../etc", "sandbox-document-approve-"]) {
    await expect(registry.readOutcome(id)).rejects.toBeInstanceOf(ProviderDown);
  }
});

test("nobody can call a sandbox back", () => {
  expect(sandbox().registry.readCallback()).toEqual({ kind: "Refused", reason: "BAD_SIGNATURE" });
});
