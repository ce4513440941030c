import type { ApiClient } from "../../../server/test/harness/api-client.ts";

const address = { street: "1 Marina", city: "Lagos", state: "Lagos", country: "NG" };

interface Issued {
  cardId: string;
  customerId: string;
  maskedPan: string;
}

/** A card of somebody who has passed verification. */
export async function issueCard(client: ApiClient, body: object = {}): Promise<Issued> {
  const verified = await client.post("/kyc/individual", {
    clientReference: "staff-0001",
    individualKyc: {
      idType: "BVN",
      idNumber: "22222222222",
      firstName: "Ada",
      lastName: "Obi",
      address,
    },
  });
  const { customerId } = verified.body.data;
  const issued = await client.post("/cards/retail", { customerId, initialBalance: 100, ...body });
  return issued.body.data;
}

/** Something of everything, so that no screen is empty. */
export async function furnish(client: ApiClient): Promise<Record<string, string>> {
  const { cardId, customerId } = await issueCard(client, { blackListedMccs: ["7995"] });
  const merchant = { mid: "CASINO1", mcc: "7995", name: "Casino", city: "Reno", country: "US" };
  const buy = { cardId, amount: 5 };
  const approved = await client.post("/simulator/authorizations", buy);
  const declined = await client.post("/simulator/authorizations", { ...buy, merchant });
  const endpoint = await client.post("/webhook-endpoints", { url: "http://127.0.0.1:9/hooks" });
  const [wallet] = (await client.get("/wallets")).body.data;
  const [event] = (await client.get("/events?limit=1")).body.data;
  const { kycToken } = (await client.get(`/customers/${customerId}`)).body.data;
  return {
    cardId,
    customerId,
    kycToken,
    approvedId: approved.body.data.transactionId,
    declinedId: declined.body.data.transactionId,
    walletId: wallet.walletId,
    eventId: event.eventId,
    webhookEndpointId: endpoint.body.data.webhookEndpointId,
  };
}
