const TIMEOUT_MS = 5_000;

/** Whether the service is a sandbox, by whether its own description has a simulator; undefined if it does not say. */
export async function isSandbox(apiUrl: string): Promise<boolean | undefined> {
  try {
    const answer = await fetch(`${apiUrl}/openapi.json`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { paths } = (await answer.json()) as { paths?: Record<string, unknown> };
    return paths === undefined ? undefined : "/api/v1/simulator/authorizations" in paths;
  } catch {
    return undefined;
  }
}
