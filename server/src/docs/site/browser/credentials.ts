import { first } from "./dom.ts";
import { forget, recall, remember } from "./session.ts";

export interface Credentials {
  clientId: string;
  clientSecret: string;
  uniqueKey: string;
}

const KEY = "florin.docs.credentials";

let current = complete(recall(KEY));
const followers: (() => void)[] = [];

export const credentials = (): Credentials | undefined => current;

/** Calls back now and after every change. */
export function followCredentials(follower: () => void): void {
  followers.push(follower);
  follower();
}

export function useCredentials(next: Credentials): void {
  remember(KEY, { ...next });
  change(next);
}

export function clearCredentials(): void {
  forget(KEY);
  change(undefined);
}

function change(next: Credentials | undefined): void {
  current = next;
  for (const follower of followers) follower();
}

/** Credentials, if all three are there. */
export function complete(found: Partial<Record<string, unknown>>): Credentials | undefined {
  const { clientId, clientSecret, uniqueKey } = found;
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  if (!isText(clientId) || !isText(clientSecret) || !isText(uniqueKey)) return undefined;
  return { clientId, clientSecret, uniqueKey };
}

/** Asks for credentials if there are none yet; undefined when the person would rather not. */
export async function askCredentials(): Promise<Credentials | undefined> {
  const dialog = first("#site-credentials", HTMLDialogElement);
  if (current !== undefined || dialog === undefined) return current;
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  return current;
}
