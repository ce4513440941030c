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
