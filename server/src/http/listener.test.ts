import Fastify from "fastify";
import { expect, test } from "vitest";
import { readConfig } from "../foundation/config.ts";
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
