import { acquirerCommand } from "./acquirer.ts";
import { auditCommand } from "./audit.ts";
import { importClearingCommand } from "./clearing.ts";
import type { Command } from "./command.ts";
import { rotateCredentialsCommand, rotateKeysCommand } from "./keys.ts";
import { migrateCommand } from "./migrate.ts";
import {
  createOrganizationCommand,
  customerManagedCommand,
  disableOrganizationCommand,
  enableOrganizationCommand,
  listOrganizationsCommand,
} from "./organizations.ts";
import { invitePersonCommand } from "./people.ts";
import { creditWalletCommand, debitWalletCommand } from "./wallets.ts";

export const commands: readonly Command[] = [
  auditCommand,
  createOrganizationCommand,
  listOrganizationsCommand,
  enableOrganizationCommand,
  disableOrganizationCommand,
  customerManagedCommand,
  invitePersonCommand,
  creditWalletCommand,
  debitWalletCommand,
  rotateCredentialsCommand,
  rotateKeysCommand,
  importClearingCommand,
  migrateCommand,
  acquirerCommand,
];

export function findCommand(args: string[]): { command: Command; rest: string[] } | undefined {
  for (const command of commands) {
    const words = command.name.split(" ");
    if (words.every((word, index) => args[index] === word)) {
      return { command, rest: args.slice(words.length) };
    }
  }
  return undefined;
}

export function usage(all: readonly Command[]): string {
  const rows = all.map(
    ({ name, parameters, summary }) => [`${name} ${parameters}`.trim(), summary] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, summary]) => `  ${left.padEnd(width)}  ${summary}`);
  return `Usage: florin <command>\n\n${lines.join("\n")}\n`;
}
