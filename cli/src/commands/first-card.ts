import type { Command } from "commander";
import { CommandFailure } from "../exit.ts";
import { ADA, withCustomer } from "../sandbox/customer.ts";
import type { Session } from "../session.ts";
import { run } from "./action.ts";

const INITIAL_BALANCE = 100;
const USUAL = "first-card";
const ANOTHER =
  "Refused with 161: a card of this customer is below zero. So here is another customer.\n";

/** The way from nothing to a card, shown request by request. */
export function addFirstCard(program: Command): void {
  const command = program
    .command("first-card")
    .description("Verify a person and issue a card in the running sandbox, and show how");
  run(command, async (session) => {
    const { terminal, isJson } = session;
    const card = await withCustomer(USUAL, async (clientReference) => {
      if (clientReference !== USUAL && !isJson) terminal.print(ANOTHER);
      return issueTo(session, clientReference);
    });
    terminal.print(isJson ? JSON.stringify(card, null, 2) : whatNext(session, card));
  });
}

function whatNext({ nextCommand }: Session, { cardId }: Data): string {
  const purchase = JSON.stringify({ cardId, amount: 25.5 });
  return `Now buy something with it:

  ${nextCommand} simulate authorize ${cardId} 25.50

or, as any other request:

  ${nextCommand} request POST /simulator/authorizations --body '${purchase}'`;
}

type Data = Readonly<Record<string, unknown>>;

async function issueTo(session: Session, clientReference: string): Promise<Data> {
  const person = { clientReference, individualKyc: ADA };
  const { customerId } = await call(session, "/kyc/individual", person);
  const wanted = { customerId, initialBalance: INITIAL_BALANCE };
  return call(session, "/cards/retail", wanted);
}

async function call(
  { florin, terminal, isJson }: Session,
  path: string,
  body: object,
): Promise<Data> {
  if (!isJson) terminal.print(`POST ${path}\n${JSON.stringify(body)}\n`);
  const { envelope } = await florin.send("POST", path, { body });
  if (!isJson) terminal.print(`${JSON.stringify(envelope, null, 2)}\n`);
  if (typeof envelope.data === "object" && envelope.data !== null) return { ...envelope.data };
  throw new CommandFailure(`${path} answered without data.`);
}
