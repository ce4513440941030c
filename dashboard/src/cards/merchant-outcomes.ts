import type { MerchantOutcome } from "@florin/sdk";

const SAID: Record<Exclude<MerchantOutcome["result"], "Invalid">, string> = {
  Added: "added",
  AlreadyListed: "was on the list already",
  Removed: "removed",
  NotListed: "was not on the list",
  Unblocked: "may pass once",
};

/** What became of each merchant that was not refused; nothing where all were. */
export function sayTaken(outcomes: MerchantOutcome[]): string | undefined {
  const said = outcomes.flatMap(({ mid, result }) =>
    result === "Invalid" ? [] : [`${mid} ${SAID[result]}`],
  );
  return said.length === 0 ? undefined : said.join("; ");
}

/** Each on its own, as the service takes them. An answer that was lost tells of none. */
export const refusedIn = (outcomes: MerchantOutcome[]): string[] =>
  Array.isArray(outcomes)
    ? outcomes.filter(({ result }) => result === "Invalid").map(({ mid }) => mid)
    : [];

export const sayRefused = (mids: string[]): string =>
  `Not added: ${mids.join(", ")}. A merchant id is 1 to 15 letters or digits.`;
