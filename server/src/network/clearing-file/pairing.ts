interface Presentment {
  amountMinor: bigint;
}

/**
 * The messages that no line has confirmed yet, the earliest first. A line is about a message of the same
 * amount, or, where there is none or the line was recorded before amounts were, about the earliest that is left.
 */
export function unconfirmed<Message extends Presentment>(
  messages: readonly Message[],
  lines: readonly (bigint | null)[],
): Message[] {
  const left = [...messages];
  let differing = 0;
  for (const line of lines) {
    const index = left.findIndex(({ amountMinor }) => amountMinor === line);
    if (index >= 0) left.splice(index, 1);
    else differing += 1;
  }
  return left.slice(differing);
}
