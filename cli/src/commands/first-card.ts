import type { Command } from "commander";
import { ADA, withCustomer } from "../account/sandbox-customer.ts";
import { CommandFailure } from "../exit.ts";
import { florinCommand } from "../project.ts";
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
    const cardId = await withCustomer(USUAL, async (clientReference) => {
      if (clientReference !== USUAL) session.terminal.print(ANOTHER);
      return issueTo(session, clientReference);
    });
    session.terminal.print("Now buy something with it:\n");
    const purchase = JSON.stringify({ cardId, amount: 25.5 });
    session.terminal.print(`  ${florinCommand} simulate authorize ${cardId} 25.50\n`);
    session.terminal.print("or, as any other request:\n");
    session.terminal.print(
      `  ${florinCommand} request POST /simulator/authorizations --body '${purchase}'`,
    );
  });
}

async function issueTo(session: Session, clientReference: string): Promise<unknown> {
  const person = { clientReference, individualKyc: ADA };
  const { customerId } = await call(session, "/kyc/individual", person);
  const wanted = { customerId, initialBalance: INITIAL_BALANCE };
  return (await call(session, "/cards/retail", wanted)).cardId;
}

async function call(
  { florin, terminal }: Session,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  terminal.print(`POST ${path}\n${JSON.stringify(body)}\n`);
  const { envelope } = await florin.send("POST", path, { body });
  terminal.print(`${JSON.stringify(envelope, null, 2)}\n`);
  if (typeof envelope.data === "object" && envelope.data !== null) return { ...envelope.data };
  throw new CommandFailure(`${path} answered without data.`);
}
