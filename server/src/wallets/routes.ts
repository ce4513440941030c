import type { App } from "../http/app.ts";
import { ok } from "../http/envelope.ts";
import { describe } from "../http/openapi.ts";
import { readWallets, type WalletDeps } from "./service.ts";
import { Wallet, walletOf } from "./wire.ts";

const ListWallets = describe({
  operationId: "listWallets",
  tag: "Wallets",
  summary: "List wallets",
  description: "Your organization's wallets, one per currency. Cards are funded from them.",
  data: Wallet.array(),
});

export function walletRoutes(api: App, deps: WalletDeps): void {
  api.get("/wallets", { schema: ListWallets }, async ({ caller }) => {
    const wallets = await readWallets(deps, caller.organizationId);
    return ok(wallets.map(walletOf));
  });
}
