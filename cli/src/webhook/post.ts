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
  { timeoutMs = 10_000, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Delivery> {
  const started = performance.now();
  const limits = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
  const elapsedMs = (): number => performance.now() - started;
  try {
    const answer = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.any(limits),
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

/** Why a connection failed, in a few words. */
export function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${timeoutMs} ms`;
  const cause = error.cause as { code?: string; message?: string } | undefined;
  if (cause?.code === "ECONNREFUSED") return "nobody listens there (connection refused)";
  if (cause?.code === "ENOTFOUND") return "there is no such host";
  if (cause?.code === "ECONNRESET" || cause?.code === "UND_ERR_SOCKET")
    return "the connection was closed";
  return cause?.message ?? error.message;
}
