/** When the whole of something must be over, in a form that can be waited with and reckoned with. */
export interface Deadline {
  signal: AbortSignal;
  leftMs(): number;
}

/**
 * Does something within a span, or until `outer` says stop. It leaves neither timer nor listener
 * behind, and keeps what it waits for alive: a signal joined by `AbortSignal.any` may be collected
 * before it fires.
 */
export async function withDeadline<T>(
  spanMs: number,
  outer: AbortSignal | undefined,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const endsAtMs = performance.now() + spanMs;
  const expire = (): void => controller.abort(new DOMException("Out of time", "TimeoutError"));
  const follow = (): void => controller.abort(outer?.reason);
  const timer = setTimeout(expire, spanMs);
  if (outer?.aborted === true) follow();
  outer?.addEventListener("abort", follow, { once: true });
  try {
    return await work({
      signal: controller.signal,
      leftMs: () => endsAtMs - performance.now(),
    });
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", follow);
  }
}
