import { expect, test } from "vitest";
import { permissions, roles } from "../../server/src/dashboard/access/roles.ts";
import { PERMISSIONS, ROLES } from "../src/api/own-types.ts";

test("the page and the service agree on roles and permissions", () => {
  expect([...ROLES].sort()).toEqual([...roles].sort());
  expect([...PERMISSIONS].sort()).toEqual([...permissions].sort());
});
