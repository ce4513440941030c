import { expect, test } from "vitest";
import { readConfig } from "./foundation/config/config.ts";
import { welcome } from "./welcome.ts";

const addresses = {
  api: "http://127.0.0.1:1",
  identity: "http://127.0.0.1:2",
  dashboard: "http://127.0.0.1:3",
};

test.each([
  [{}, "  npm run florin -- first-card\n"],
  [{ FLORIN_DATA_DIR: "./.florin" }, "  npm run florin -- first-card\n"],
  [
    { FLORIN_DATA_DIR: "/srv/my florin" },
    "  FLORIN_DATA_DIR='/srv/my florin' npm run florin -- first-card\n",
  ],
])("whoever starts it with %j can copy the command", (environment, command) => {
  const text = welcome(readConfig(environment), addresses, "sandbox.json");
  expect(text).toContain(`\n${command}`);
});

test("a sandbox says where everything is", () => {
  const network = "127.0.0.1:4";
  const text = welcome(readConfig({}), { ...addresses, network }, "/data/sandbox.json");
  for (const place of [...Object.values(addresses), network, "/data/sandbox.json"]) {
    expect(text).toContain(place);
  }
});
