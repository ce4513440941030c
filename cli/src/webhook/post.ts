import { reasonOf } from "../connection-failure.ts";

/** What came of one attempt to deliver something. */
export interface Delivery {
  status?: number;
  /** The first part of what was answered. */
  text: string;
  error?: string;
  durationMs: number;
}

const MAX_ANSWER_CHARACTERS = 64 * 1024;

/** Posts to an address of the user's and tells what came of it; never throws, never follows a redirect. */
export async function post(
  url: string,
  message: { headers: Record<string, string>; body: string },
  { timeoutMs = 10_000 }: { timeoutMs?: number } = {},
): Promise<Delivery> {
  const started = performance.now();
  const elapsedMs = (): number => performance.now() - started;
  try {
    const answer = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
      ...message,
    });
    const text = (await answer.text()).slice(0, MAX_ANSWER_CHARACTERS);
    return { status: answer.status, text, durationMs: elapsedMs() };
  } catch (error) {
    return { text: "", error: reasonOf(error, timeoutMs), durationMs: elapsedMs() };
  }
}

export const isAccepted = ({ status }: Delivery): boolean =>
  status !== undefined && status >= 200 && status < 300;
