interface Presentment {
  amountMinor: bigint;
}

/**
 * The messages that no line has confirmed yet, the earliest first. A line is about a message of the same
 * amount, or, where there is none or the line was recorded before amounts were, about the earliest that is left:
 * unless that is of `ownMinor`, the amount of a line that is still to be judged and whose message it is, then.
 */
export function unconfirmed<Message extends Presentment>(
  messages: readonly Message[],
  lines: readonly (bigint | null)[],
  ownMinor?: bigint,
): Message[] {
  const left = [...messages];
  let differing = 0;
  for (const line of lines) {
    const index = left.findIndex(({ amountMinor }) => amountMinor === line);
    if (index >= 0) left.splice(index, 1);
    else differing += 1;
  }
  const own = left.findIndex(({ amountMinor }) => amountMinor === ownMinor);
  const reserved = own >= 0 ? left.splice(own, 1) : [];
  return [...reserved, ...left.slice(differing)];
}
