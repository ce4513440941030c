import type { Customer } from "@florin/sdk";

export function nameOf({ registeredName, firstName, lastName, clientReference }: Customer): string {
  const name = registeredName ?? [firstName, lastName].filter(Boolean).join(" ");
  return name === "" ? clientReference : name;
}
