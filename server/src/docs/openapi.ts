import { type AllDeps, createApi } from "../api.ts";
import { readConfig } from "../foundation/config/config.ts";
import { TokenBuckets } from "../foundation/token-bucket.ts";
import { listenerOptions } from "../http/listener.ts";
import { Metrics } from "../http/metrics.ts";

/** docs/openapi.json: what a sandbox with default addresses publishes. Needs no database. */
export async function renderOpenApi(): Promise<string> {
  const config = readConfig({});
  // Routes only keep what they are given until a request comes, and none comes here.
  const deps = {
    config,
    metrics: new Metrics(),
    addressLimit: new TokenBuckets({ ratePerS: 0, burst: 0, maxKeys: 1, nowMs: () => 0 }),
    listener: listenerOptions(config),
    addresses: { api: "http://127.0.0.1:4000", identity: "http://127.0.0.1:4001", dashboard: "" },
  } as unknown as AllDeps;
  const api = createApi(deps);
  const answer = await api.inject({ method: "GET", url: "/openapi.json" });
  await api.close();
  return `${JSON.stringify(answer.json(), null, 2)}\n`;
}
