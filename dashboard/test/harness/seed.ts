import type { ApiClient } from "../../../server/test/harness/api-client.ts";

const address = { street: "1 Marina", city: "Lagos", state: "Lagos", country: "NG" };

interface Issued {
  cardId: string;
  customerId: string;
  maskedPan: string;
}

/** Somebody who has passed verification. */
async function verify(client: ApiClient, clientReference: string, lastName: string) {
  const verified = await client.post("/kyc/individual", {
    clientReference,
    individualKyc: {
      idType: "BVN",
      idNumber: "22222222222",
      firstName: "Ada",
      lastName,
      address,
    },
  });
  return verified.body.data.customerId as string;
}

/** A card of theirs. */
export async function issueCard(client: ApiClient, body: object = {}): Promise<Issued> {
  const customerId = await verify(client, "staff-0001", "Obi");
  const issued = await client.post("/cards/retail", { customerId, initialBalance: 100, ...body });
  return issued.body.data;
}

/** As long as they come, without a place where a line would end by itself. */
const LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh";
const LONG_PATH =
  "/hooks/of/the/operations/of/west/africa/and/more?tenant=operations-of-west-africa";

/** Something of everything, so that no screen is empty. */
export async function furnish(client: ApiClient): Promise<Record<string, string>> {
  const { cardId, customerId } = await issueCard(client, { blackListedMccs: ["7995"] });
  const merchant = { mid: "CASINO1", mcc: "7995", name: "Casino", city: "Reno", country: "US" };
  const buy = { cardId, amount: 5 };
  const approved = await client.post("/simulator/authorizations", buy);
  const declined = await client.post("/simulator/authorizations", { ...buy, merchant });
  const endpoint = await client.post("/webhook-endpoints", {
    url: `http://127.0.0.1:9${LONG_PATH}`,
  });
  const [wallet] = (await client.get("/wallets")).body.data;
  const [event] = (await client.get("/events?limit=1")).body.data;
  const { kycToken } = (await client.get(`/customers/${customerId}`)).body.data;
  return {
    cardId,
    customerId,
    kycToken,
    longNameId: await verify(client, "staff-0002", LONG_NAME),
    approvedId: approved.body.data.transactionId,
    declinedId: declined.body.data.transactionId,
    walletId: wallet.walletId,
    eventId: event.eventId,
    webhookEndpointId: endpoint.body.data.webhookEndpointId,
  };
}
