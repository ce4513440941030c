import type { Florin } from "@florin/sdk";
import { expect, test } from "vitest";
import { perform } from "./perform.ts";
import { World } from "./world.ts";

interface Sent {
  path: string;
  body: { customerId?: string };
}

/** A service that numbers its customers, and what was sent to it. */
function recorded(): { world: World; sent: Sent[] } {
  const sent: Sent[] = [];
  let customers = 0;
  const send = async (_method: string, path: string, { body = {} }: { body?: Sent["body"] }) => {
    sent.push({ path, body });
    if (path.startsWith("/kyc/")) customers += 1;
    return { envelope: { data: { customerId: `cus_${customers}`, cardId: "card_1" } } };
  };
  return { world: new World({ send } as unknown as Florin, "http://127.0.0.1:9"), sent };
}

test("a card that names no customer is not given to one that the scenario named after a type", async () => {
  const { world, sent } = recorded();
  await perform(world, { action: "verify", fields: { as: "Individual" } });
  await perform(world, { action: "issue", fields: {} });
  await perform(world, { action: "issue", fields: {} });
  await perform(world, { action: "issue", fields: { customer: "Individual" } });
  const issued = sent.filter(({ path }) => path === "/cards/retail");
  expect(issued.map(({ body }) => body.customerId)).toEqual(["cus_2", "cus_2", "cus_1"]);
});
