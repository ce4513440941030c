import { expect, test } from "vitest";
import { peerOf, readPeers } from "./peers.ts";

const sandbox = { isSandbox: true, isTls: false };
const production = { isSandbox: false, isTls: true };
const FINGERPRINT = "AB:".repeat(31).concat("CD");
const read = (entries: unknown, rules = sandbox) => readPeers(JSON.stringify(entries), rules);

test("a peer has what the file says, and defaults", () => {
  const [peer] = read([{ name: "acme", addresses: ["10.0.0.0/8"] }]);
  expect(peer).toMatchObject({
    name: "acme",
    certificates: [],
    requireSignOn: false,
    maxConnections: 8,
    maxInFlight: 256,
  });
  const [strict] = read(
    [{ name: "acme", addresses: ["10.0.0.1"], certificates: [FINGERPRINT] }],
    production,
  );
  expect(strict).toMatchObject({
    requireSignOn: true,
    certificates: [FINGERPRINT.replaceAll(":", "").toLowerCase()],
  });
});

test.each([
  ["10.1.2.3", "10.0.0.0/8", true],
  ["11.1.2.3", "10.0.0.0/8", false],
  ["192.0.2.1", "192.0.2.1", true],
  ["192.0.2.2", "192.0.2.1", false],
  ["2001:db8::1", "2001:db8::/32", true],
  ["2001:db9::1", "2001:db8::/32", false],
  ["10.1.2.3", "2001:db8::/32", false],
  ["nonsense", "0.0.0.0/0", false],
])("%s is from %s: %s", (address, network, expected) => {
  const [peer] = read([{ name: "acme", addresses: [network] }]);
  expect(peer?.isFrom(address)).toBe(expected);
});

test.each<[string, string[], boolean]>([
  ["412345", [], true],
  ["412345", ["777777", "412345"], true],
  ["00412345", ["412345"], true],
  ["412345", ["00412345"], true],
  ["777777", ["412345"], false],
  ["000", ["412345"], false],
])("acquirer %s is served by a peer of %j: %s", (acquirer, acquirers, expected) => {
  const [peer] = read([{ name: "acme", addresses: ["10.0.0.0/8"], acquirers }]);
  expect(peer?.serves(acquirer)).toBe(expected);
});

test("with TLS an address is not enough: the certificate must be the peer's", () => {
  const peers = read(
    [
      { name: "a", addresses: ["10.0.0.0/8"], certificates: [FINGERPRINT] },
      { name: "b", addresses: ["10.0.0.0/8"], certificates: ["0".repeat(64)] },
    ],
    production,
  );
  expect(peerOf(peers, "10.0.0.1", FINGERPRINT)?.name).toBe("a");
  expect(peerOf(peers, "10.0.0.1", "00:".repeat(31).concat("00"))?.name).toBe("b");
  expect(peerOf(peers, "10.0.0.1", "11:".repeat(31).concat("11"))).toBeUndefined();
  expect(peerOf(peers, "10.0.0.1", undefined)).toBeUndefined();
  expect(peerOf(peers, "192.0.2.1", FINGERPRINT)).toBeUndefined();
});

test.each<[string, unknown, RegExp]>([
  ["no list", {}, /_FILE: must be a list$/],
  ["no peer", [], /_FILE: must not be empty$/],
  ["nothing but a name", [{ name: "a" }], /: 0\.addresses is required$/],
  ["no address", [{ name: "a", addresses: [] }], /0\.addresses/],
  ["a bad address", [{ name: "a", addresses: ["10.0.0.0/33"] }], /must be an address or a network/],
  ["a name for nobody", [{ name: "A b", addresses: ["10.0.0.1"] }], /0\.name must be/],
  [
    "an unknown field",
    [{ name: "a", addresses: ["10.0.0.1"], adress: 1 }],
    /: 0\.adress is not a known field$/,
  ],
  [
    "a name twice",
    [
      { name: "a", addresses: ["10.0.0.1"] },
      { name: "a", addresses: ["10.0.0.2"] },
    ],
    /a is twice/,
  ],
  [
    "a certificate without TLS",
    [{ name: "a", addresses: ["10.0.0.1"], certificates: [FINGERPRINT] }],
    /no TLS/,
  ],
])("%s is told", (_what, entries, problem) => {
  expect(() => read(entries)).toThrow(problem);
});

test("TLS without a certificate, and what is no JSON, are told", () => {
  expect(() => read([{ name: "a", addresses: ["10.0.0.1"] }], production)).toThrow(/needs certif/);
  expect(() => readPeers("[{", sandbox)).toThrow(/FLORIN_NETWORK_PEERS_FILE/);
});
