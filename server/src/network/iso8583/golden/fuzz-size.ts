/** How much fuzz tests try: as much as each does usually, or as many messages as are asked for. */
export function fuzzSize(usualMessages: number): { messages: number; timeoutMs: number } {
  const asked = process.env.FLORIN_FUZZ_MESSAGES ?? "";
  const messages = /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : usualMessages;
  // On a busy machine they take longer than other tests.
  return { messages, timeoutMs: 180_000 * Math.max(1, messages / usualMessages) };
}
