import type { FastifyRequest } from "fastify";
import { describe, expect, test } from "vitest";
import { Failure } from "../../foundation/failure.ts";
import { permissionsFor, permissionsForBody } from "./api-permissions.ts";
import { refuseOtherNames, refuseOtherSites } from "./origin.ts";
import { may, type Permission, permissions, permissionsOf, roles } from "./roles.ts";

const withHeaders = (headers: Record<string, string>): FastifyRequest =>
  ({ headers }) as unknown as FastifyRequest;

describe("requests of other sites", () => {
  const own = "http://127.0.0.1:4002";
  test.each<[Record<string, string>, boolean]>([
    [{}, true], // No browser; the CSRF token is needed all the same.
    [{ origin: own }, true],
    [{ origin: "http://localhost:4002" }, true],
    [{ origin: "http://[::1]:4002" }, true],
    [{ origin: "http://127.0.0.1:4000" }, false],
    [{ origin: "https://127.0.0.1:4002" }, false],
    [{ origin: "https://evil.example" }, false],
    [{ origin: "http://127.0.0.1.evil.example:4002" }, false],
    [{ origin: "null" }, false],
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "same-origin", origin: "http://localhost:5173" }, true], // Behind a proxy.
    [{ "sec-fetch-site": "none" }, true],
    [{ "sec-fetch-site": "same-site", origin: own }, false],
    [{ "sec-fetch-site": "cross-site" }, false],
  ])("%o: %o", (headers, isAllowed) => {
    const check = (): void => refuseOtherSites(withHeaders(headers), own);
    if (isAllowed) expect(check).not.toThrow();
    else expect(check).toThrow(Failure);
  });
});

describe("names that a dashboard is asked by", () => {
  const sandbox = { isSandbox: true, host: "127.0.0.1" };
  test.each<[string, { isSandbox: boolean; host: string }, string, boolean]>([
    ["127.0.0.1:4002", sandbox, "http://127.0.0.1:4002", true],
    ["localhost:4002", sandbox, "http://127.0.0.1:4002", true],
    ["rebound.example:4002", sandbox, "http://127.0.0.1:4002", false],
    ["", sandbox, "http://127.0.0.1:4002", false],
    ["box.example", sandbox, "https://box.example", true], // A proxy in front of it.
    ["any.example", { isSandbox: true, host: "0.0.0.0" }, "http://0.0.0.0:4002", true],
    ["any.example", { isSandbox: false, host: "127.0.0.1" }, "https://cards.example", true],
  ])("%s, %o, %s: %o", (host, config, url, isAllowed) => {
    const check = (): void => refuseOtherNames(withHeaders({ host }), config, url);
    if (isAllowed) expect(check).not.toThrow();
    else expect(check).toThrow(Failure);
  });
});

describe("roles", () => {
  test("an owner may do everything, a viewer only look", () => {
    expect(permissionsOf("Owner")).toEqual(permissions);
    expect(permissionsOf("Viewer")).toEqual([]);
  });

  test("every permission belongs to somebody, and nobody else manages people", () => {
    for (const permission of permissions) {
      expect(roles.filter((role) => may(role, permission))).toContain("Owner");
    }
    expect(roles.filter((role) => may(role, "people"))).toEqual(["Owner"]);
  });

  test("a route that nobody thought of is not open", () => {
    const route = { method: "POST", path: "/something/new", scope: "CardAPIs" } as const;
    expect(() => permissionsFor(route)).toThrow("No permission");
    expect(permissionsFor({ ...route, method: "GET" })).toEqual([]);
  });

  test.each<[Permission, unknown, readonly Permission[]]>([
    ["cards.issue", { initialBalance: 0.01 }, ["cards.money"]],
    ["cards.issue", { initialBalance: "5" }, ["cards.money"]],
    ["cards.issue", { initialBalance: 0 }, []],
    ["cards.issue", { cardId: "card_1", sharedBalance: true }, []],
    ["cards.issue", undefined, []],
    ["sandbox", { balance: 5 }, []],
  ])("%s with %o also asks for %o", (permission, body, besides) => {
    expect(permissionsForBody([permission], body)).toEqual(besides);
  });
});
