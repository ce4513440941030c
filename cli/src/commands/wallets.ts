import type { Wallet } from "@florin/sdk";
import type { Command } from "commander";
import { show } from "../session.ts";
import { moneyText } from "../terminal/money.ts";
import { table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { run } from "./action.ts";

export function addWallets(program: Command): void {
  const command = program.command("wallets").description("Show the wallets and what is in them");
  run(command, async (session) => {
    show(session, await session.florin.wallets.list(), (data) =>
      walletTable(session.terminal, data),
    );
  });
}

export function walletTable(terminal: Terminal, wallets: readonly Wallet[]): string {
  if (wallets.length === 0) return "There are no wallets yet: the first deposit opens one.";
  return table(
    terminal,
    [
      { head: "wallet", cell: ({ walletId }) => walletId },
      {
        head: "balance",
        align: "right",
        cell: (wallet) => moneyText(wallet.balance, wallet.currency),
      },
      {
        head: "available",
        align: "right",
        cell: (wallet) => moneyText(wallet.availableBalance, wallet.currency),
      },
    ],
    wallets,
  );
}
