import { readdirSync, readFileSync } from "node:fs";
import type { Message } from "../fields.ts";

/** A message in hex, one line per element, with what it holds and what that means. */
export interface Golden {
  title: string;
  bytes: Buffer;
  message: Message;
  means: Meaning;
}

export interface Meaning {
  /** When the message is read; by default early in February 2026. */
  now?: string;
  kind?: string;
  amount?: string;
  settlement?: string;
  billing?: string;
  rate?: string;
  sentAt?: string;
  local?: string;
  expiry?: string;
  acquirerCountry?: string;
  entryMode?: string;
  mid?: string;
  merchant?: { mid: string; name: string; city: string; country: string };
  cvv2?: string;
  additional?: string[];
  original?: string;
  replacement?: string;
}

type Written = Message & { title: string; hex: string[]; means: Meaning };

const directory = new URL("./", import.meta.url);

export const goldenMessages: readonly Golden[] = readdirSync(directory)
  .filter((file) => file.endsWith(".json"))
  .sort()
  .flatMap((file) => JSON.parse(readFileSync(new URL(file, directory), "utf8")) as Written[])
  .map(({ title, hex, mti, fields, means }) => ({
    title: `${mti} ${title}`,
    bytes: Buffer.from(hex.join(""), "hex"),
    message: { mti, fields },
    means,
  }));
