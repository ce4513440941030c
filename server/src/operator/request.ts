import { randomSecret } from "../foundation/keyring.ts";
import { type Command, readArguments } from "./command.ts";
import { readSandbox, send } from "./sandbox-client.ts";

/** A client in a few lines: it talks to the running sandbox as any other client would. */
export const requestCommand: Command = {
  name: "request",
  parameters: "<method> <path> [--body JSON] [--reference R]",
  summary: "Sign and send one request to the running sandbox: request GET /wallets",
  run: async (invocation) => {
    const { positionals, values } = readArguments(invocation, ["method", "path"], {
      body: { type: "string" },
      reference: { type: "string" },
    });
    const [method, path] = positionals;
    const sandbox = await readSandbox(invocation.config.dataDir);
    const url = `${sandbox.apiUrl}/api/v1${path.startsWith("/") ? path : `/${path}`}`;
    const reference = String(values.reference ?? randomSecret(15));
    const answer = await send(sandbox, method.toUpperCase(), url, reference, values.body);
    invocation.print(JSON.stringify(await answer.json(), null, 2));
    return answer.ok ? 0 : 1;
  },
};
