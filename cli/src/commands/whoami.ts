import type { Command } from "commander";
import { fetchToken } from "../profile/token.ts";
import { isSandbox } from "../sandbox/is-sandbox.ts";
import { facts } from "../terminal/table.ts";
import { run } from "./action.ts";
import { walletTable } from "./wallets.ts";

export function addWhoami(program: Command): void {
  const command = program
    .command("whoami")
    .description("Show whom the commands act for, where, and its wallets");
  run(command, async (session) => {
    const { profile, florin, terminal, isJson } = session;
    const { clientId, apiUrl, identityUrl, dashboardUrl, source } = profile;
    const { scope } = await fetchToken(profile);
    const wallets = await florin.wallets.list();
    const sandbox = await isSandbox(apiUrl);
    const environment = sandbox === undefined ? "unknown" : sandbox ? "sandbox" : "production";
    if (isJson) {
      const all = {
        clientId,
        environment,
        scope,
        apiUrl,
        identityUrl,
        dashboardUrl,
        source,
        wallets,
      };
      terminal.print(JSON.stringify(all, null, 2));
      return;
    }
    terminal.print(
      facts(terminal, [
        ["client", terminal.style("bold", clientId)],
        ["environment", environment],
        ["scopes", scope],
        ["API", `${apiUrl}/api/v1`],
        ["reference", `${apiUrl}/docs`],
        ["identity", identityUrl],
        ["dashboard", dashboardUrl],
        ["credentials", source],
      ]),
    );
    terminal.print(`\n${walletTable(terminal, wallets)}`);
  });
}
