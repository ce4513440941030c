import Fastify from "fastify";
import { expect, test } from "vitest";
import { readConfig } from "../foundation/config/config.ts";
import { listen } from "./listener.ts";

test.each<[Record<string, string>, string]>([
  [{}, "127.0.0.1"],
  [{ FLORIN_HOST: "0.0.0.0", FLORIN_ALLOW_PUBLIC_SANDBOX: "1" }, "0.0.0.0"],
])("a sandbox with %j binds %s and nothing else", async (environment, expected) => {
  const app = Fastify();
  await listen(app, readConfig({ FLORIN_API_PORT: "0", ...environment }), "api");
  const bound = app.addresses();
  await app.close();
  expect(bound).toEqual([expect.objectContaining({ address: expected })]);
});

test.each(["192.0.2.1", "florin.invalid"])("a host that is not ours is named: %s", async (host) => {
  const environment = { FLORIN_HOST: host, FLORIN_ALLOW_PUBLIC_SANDBOX: "1", FLORIN_API_PORT: "0" };
  const app = Fastify();
  await expect(listen(app, readConfig(environment), "api")).rejects.toThrow(
    `FLORIN_HOST must be an address of this machine, which ${host} is not.`,
  );
  await app.close();
});
