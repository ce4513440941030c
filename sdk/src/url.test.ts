import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pathOf, urlOf } from "./url.ts";

const API = "https://api.example.com";

describe("a path", () => {
  test.each([
    ["/cards", {}, "/api/v1/cards"],
    ["/api/v1/cards", {}, "/api/v1/cards"],
    ["/cards/{cardId}/top-up", { cardId: "card_1" }, "/api/v1/cards/card_1/top-up"],
    ["/requests/{reference}", { reference: "a/b?c#d%2e" }, "/api/v1/requests/a%2Fb%3Fc%23d%252e"],
  ])("%s with %o is %s", (path, params, expected) => {
    expect(pathOf(path, params)).toBe(expected);
  });

  test.each([{}, { cardId: "" }, { cardId: "." }, { cardId: ".." }])(
    "is not made of %o",
    (params) => {
      expect(() => pathOf("/cards/{cardId}", params)).toThrow("cardId");
    },
  );

  test("keeps a parameter in its place, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (cardId) => {
        fc.pre(cardId !== "." && cardId !== "..");
        const { pathname } = new URL(urlOf(API, pathOf("/cards/{cardId}/freeze", { cardId })));
        const [, , , cards, segment = "", freeze, ...more] = pathname.split("/");
        expect([cards, freeze, more]).toEqual(["cards", "freeze", []]);
        expect(decodeURIComponent(segment)).toBe(cardId);
      }),
    );
  });
});

describe("an address", () => {
  test("has the query that is defined, spelled as it will be sent", () => {
    const query = { name: "O'Brien & Söhne", limit: 5, approved: false, cursor: undefined };
    const url = urlOf(API, "/api/v1/customers", query);
    expect(url).toBe(
      `${API}/api/v1/customers?name=O%27Brien+%26+S%C3%B6hne&limit=5&approved=false`,
    );
    expect(new URL(url).href).toBe(url);
  });

  test("may lie below a path of its own", () => {
    expect(urlOf(`${API}/florin`, "/api/v1/cards")).toBe(`${API}/florin/api/v1/cards`);
  });

  test.each(["/api/v1/../../healthz", "/api/v1/%2e%2e/x", ".evil.example/api/v1/x"])(
    "never leads elsewhere: %s",
    (path) => {
      expect(() => urlOf(API, path)).toThrow(TypeError);
    },
  );
});
