import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Florin, type OperationId, operations } from "@florin/sdk";
import { expect, test } from "vitest";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const document = JSON.parse(read("../../docs/openapi.json")) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};

/** The method of the SDK for each operation. */
const methods: Record<OperationId, string> = {
  readRequest: "requests.get",
  verifyIndividual: "kyc.verifyIndividual",
  verifyBusiness: "kyc.verifyBusiness",
  readVerification: "kyc.get",
  listCustomers: "customers.list",
  readCustomer: "customers.get",
  listWallets: "wallets.list",
  listWalletEntries: "wallets.entries",
  listProgrammes: "programmes.list",
  issueRetailCard: "cards.issueRetail",
  issueCorporateCard: "cards.issueCorporate",
  issueLiteCard: "cards.issueLite",
  reissueCard: "cards.reissue",
  listCards: "cards.list",
  getCard: "cards.get",
  changeCard: "cards.change",
  getCardSecrets: "cards.getSecrets",
  freezeCard: "cards.freeze",
  unfreezeCard: "cards.unfreeze",
  topUpCard: "cards.topUp",
  withdrawFromCard: "cards.withdraw",
  transferBetweenCards: "cards.transfer",
  listCrossBorderCharges: "cards.crossBorderCharges",
  reprocessCrossBorderCharges: "cards.reprocessCrossBorderCharges",
  terminateCard: "cards.terminate",
  regularizeCard: "cards.regularize",
  blacklistMerchants: "merchants.blacklist",
  removeMerchantBlacklist: "merchants.removeFromBlacklist",
  whitelistMerchants: "merchants.whitelist",
  removeMerchantWhitelist: "merchants.removeFromWhitelist",
  unblockMerchantsOnce: "merchants.unblockOnce",
  listTransactions: "transactions.list",
  getTransaction: "transactions.get",
  rehearseAuthorization: "transactions.rehearse",
  getCardAuthorizationSettings: "settings.getCardAuthorization",
  setCardAuthorizationSettings: "settings.setCardAuthorization",
  createWebhookEndpoint: "webhookEndpoints.create",
  listWebhookEndpoints: "webhookEndpoints.list",
  readWebhookEndpoint: "webhookEndpoints.get",
  changeWebhookEndpoint: "webhookEndpoints.change",
  deleteWebhookEndpoint: "webhookEndpoints.delete",
  rotateWebhookSecret: "webhookEndpoints.rotateSecret",
  testWebhookEndpoint: "webhookEndpoints.test",
  recoverWebhookEndpoint: "webhookEndpoints.recover",
  listEvents: "events.list",
  readEvent: "events.get",
  resendEvent: "events.resend",
  simulateDeposit: "simulator.deposit",
  simulateKycDecision: "simulator.decideKyc",
  advanceClock: "simulator.advanceClock",
  injectFault: "simulator.injectFault",
  simulateAuthorization: "simulator.authorize",
  simulateSettlement: "simulator.settle",
  simulateReversal: "simulator.reverse",
  simulateRefund: "simulator.refund",
  simulateForcePost: "simulator.forcePost",
  simulateUnlinkedRefund: "simulator.refundUnlinked",
};

/** Methods that are another face of an operation which has its own. */
const MORE = ["wallets.get", "wallets.exportEntriesCsv", "transactions.exportCsv"];

const documented = Object.entries(document.paths).flatMap(([path, ofPath]) =>
  Object.entries(ofPath).map(([method, { operationId }]) => ({
    operationId,
    method: method.toUpperCase(),
    path,
  })),
);

test("the SDK knows the operations of the document and no other", () => {
  const known = Object.entries(operations).map(([operationId, { method, path }]) => ({
    operationId,
    method,
    path,
  }));
  expect(known).toEqual(documented);
});

test("its types are made from the document as it is", () => {
  const generate = fileURLToPath(new URL("../scripts/generate.mjs", import.meta.url));
  expect(execFileSync(process.execPath, [generate, "--check"], { encoding: "utf8" })).toBe("");
});

/** A client whose calls all succeed with nothing, and what they were. */
function noted() {
  const sent: { method: string; pathname: string; body: unknown }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const { pathname } = new URL(String(url));
    if (pathname === "/connect/token")
      return Response.json({ access_token: "t", expires_in: 3600 });
    sent.push({ method: init?.method ?? "", pathname, body: init?.body });
    return Response.json({
      responseCode: "000",
      data: [],
      pagination: { limit: 1, nextCursor: null },
    });
  };
  const address = { apiUrl: "http://api.test", identityUrl: "http://identity.test" };
  const client = { clientId: "c", clientSecret: "s", uniqueKey: "k" };
  return { florin: new Florin({ ...address, ...client, fetch }), sent };
}

type Loose = Record<string, Record<string, (...args: unknown[]) => unknown>>;

test.each(documented)(
  "$operationId has a method that calls it",
  async ({ operationId, ...operation }) => {
    const { florin, sent } = noted();
    const [resource = "", name = ""] = methods[operationId as OperationId].split(".");
    const params = operation.path.match(/\{\w+\}/g) ?? [];
    const body = { some: "thing" };
    const method = (florin as unknown as Loose)[resource]?.[name]?.bind(
      (florin as unknown as Loose)[resource],
    );
    const args = [...params.map(() => "x"), ...(operation.method === "GET" ? [] : [body])];
    const result = await method?.(...args);
    if (typeof result === "object" && result !== null && "page" in result)
      await (result as { page(): Promise<unknown> }).page();
    expect(sent).toMatchObject([
      { method: operation.method, pathname: operation.path.replaceAll(/\{\w+\}/g, "x") },
    ]);
  },
);

test("every method of the SDK is one of them", () => {
  const florin = noted().florin as unknown as Record<string, object>;
  const found = Object.entries(florin).flatMap(([resource, group]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(group))
      .filter((name) => name !== "constructor")
      .map((name) => `${resource}.${name}`),
  );
  expect(found.sort()).toEqual([...Object.values(methods), ...MORE].sort());
});
