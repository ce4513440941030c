import { randomSecret } from "../foundation/keyring.ts";
import { type Command, CommandError, type Invocation, readArguments } from "./command.ts";
import { readSandbox, type SandboxFile, send } from "./sandbox-client.ts";

const INITIAL_BALANCE = 100;

/** Ada Obi, whom the sandbox's register knows by her BVN. */
const ADA = {
  clientReference: "first-card",
  individualKyc: {
    idType: "BVN",
    idNumber: "22222222222",
    firstName: "Ada",
    lastName: "Obi",
    address: { street: "1 Marina Road", city: "Lagos", state: "Lagos", country: "NG" },
  },
};

/** The way from nothing to a card, shown request by request. */
export const firstCardCommand: Command = {
  name: "first-card",
  parameters: "",
  summary: "Verify a person and issue a card in the running sandbox, and show how",
  run: async (invocation) => {
    readArguments(invocation, []);
    const sandbox = await readSandbox(invocation.config.dataDir);
    const { customerId } = await call(invocation, sandbox, "/kyc/individual", ADA);
    const wanted = { customerId, initialBalance: INITIAL_BALANCE };
    const { cardId } = await call(invocation, sandbox, "/cards/retail", wanted);
    invocation.print("Now buy something with it:\n");
    const purchase = JSON.stringify({ cardId, amount: 25.5 });
    invocation.print(
      `  npm run florin -- request POST /simulator/authorizations --body '${purchase}'`,
    );
    return 0;
  },
};

async function call(
  { print }: Invocation,
  sandbox: SandboxFile,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const text = JSON.stringify(body);
  print(`POST ${path}\n${text}\n`);
  const url = `${sandbox.apiUrl}/api/v1${path}`;
  const answer = await send(sandbox, "POST", url, randomSecret(15), text);
  const envelope = (await answer.json()) as { data?: Record<string, unknown> };
  print(`${JSON.stringify(envelope, null, 2)}\n`);
  if (!answer.ok || envelope.data === undefined) {
    throw new CommandError(`${path} was refused (${answer.status}).`);
  }
  return envelope.data;
}
