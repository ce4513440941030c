import { expect, test } from "vitest";
import type { Me, Permission } from "../api/own-types.ts";
import { isForOthers, navigationFor } from "./navigation.ts";

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

test("credentials and card authorization are where the guides say: Settings, Developer", () => {
  const groups = navigationFor({ environment: "production", permissions: ["credentials"] } as Me);
  const developer = groups.find(({ title }) => title === "Settings · Developer");
  const paths = developer?.destinations.map(({ to }) => to);
  expect(paths).toEqual(
    expect.arrayContaining(["/settings/credentials", "/settings/authorization"]),
  );
});

test("production has no sandbox tools and no mailbox", () => {
  const paths = pathsFor("production", ["sandbox", "credentials"]);
  expect(paths).not.toContain("/sandbox/terminal");
  expect(paths).not.toContain("/mailbox");
});

test("a mailbox is shown where letters go into it", () => {
  for (const hasMailbox of [true, false]) {
    const me = { environment: "sandbox", hasMailbox, permissions: [] } as unknown as Me;
    const paths = navigationFor(me).flatMap(({ destinations }) => destinations.map(({ to }) => to));
    expect(paths.includes("/mailbox")).toBe(hasMailbox);
  }
});

test.each<[string, Permission[], boolean]>([
  ["/sandbox/terminal", [], true],
  ["/sandbox/terminal/", [], true],
  ["/sandbox/terminal", ["sandbox"], false],
  ["/settings/credentials", ["sandbox"], true],
  ["/settings/audit", [], true],
  ["/cards/issue", ["kyc"], true],
  ["/customers/verify", ["kyc"], false],
  ["/cards/card_1", [], false],
  ["/settings/team", [], false],
])("%s with %j is for others: %s", (pathname, permissions, expected) => {
  expect(isForOthers({ environment: "sandbox", permissions } as unknown as Me, pathname)).toBe(
    expected,
  );
});
