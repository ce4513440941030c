/** The message types that are spoken here, as ISO 8583:1987 names them. */
export const messageTypes = {
  "0100": "Authorization request",
  "0101": "Authorization request, repeated",
  "0110": "Authorization response",
  "0120": "Authorization advice",
  "0121": "Authorization advice, repeated",
  "0130": "Authorization advice response",
  "0200": "Financial request",
  "0201": "Financial request, repeated",
  "0210": "Financial response",
  "0220": "Financial advice",
  "0221": "Financial advice, repeated",
  "0230": "Financial advice response",
  "0400": "Reversal request",
  "0401": "Reversal request, repeated",
  "0410": "Reversal response",
  "0420": "Reversal advice",
  "0421": "Reversal advice, repeated",
  "0430": "Reversal advice response",
  "0800": "Network management request",
  "0810": "Network management response",
} as const;

/** Message type indicator. */
export type Mti = keyof typeof messageTypes;

export function isMti(text: string): text is Mti {
  return Object.hasOwn(messageTypes, text);
}

/** The type that answers this one; nothing answers an answer. */
export function answerMtiOf(mti: Mti): Mti | undefined {
  const answer = answerTypeOf(mti);
  return answer !== undefined && isMti(answer) ? answer : undefined;
}

/**
 * The same for types that are not spoken here. The third digit is even where an answer is awaited
 * (0 request, 2 advice) and the answer's is the next; the last digit is odd for a repetition, which
 * is answered like the original.
 */
export function answerTypeOf(mti: string): string | undefined {
  const [, start, role, origin] = /^(0\d)([02])([0-5])$/.exec(mti) ?? [];
  if (start === undefined) return undefined;
  return `${start}${Number(role) + 1}${Number(origin) - (Number(origin) % 2)}`;
}
