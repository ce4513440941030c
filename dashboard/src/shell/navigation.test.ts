import { expect, test } from "vitest";
import type { Me, Permission } from "../api/own-types.ts";
import { navigationFor } from "./navigation.ts";

const pathsFor = (environment: Me["environment"], permissions: Permission[]) =>
  navigationFor({ environment, permissions } as Me).flatMap(({ destinations }) =>
    destinations.map(({ to }) => to),
  );

test("nobody is shown a door that the service keeps closed to them", () => {
  const paths = pathsFor("sandbox", []);
  expect(paths).toContain("/cards");
  expect(paths).not.toContain("/settings/credentials");
  expect(paths).not.toContain("/sandbox/terminal");
  expect(pathsFor("sandbox", ["credentials"])).toContain("/settings/credentials");
});

test("production has no sandbox tools and no mailbox", () => {
  const paths = pathsFor("production", ["sandbox", "credentials"]);
  expect(paths).not.toContain("/sandbox/terminal");
  expect(paths).not.toContain("/mailbox");
});
