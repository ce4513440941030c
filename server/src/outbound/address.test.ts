import fc from "fast-check";
import { expect, test } from "vitest";
import { addressProblem } from "./address.ts";

const NEVER = /link-local, metadata or reserved/;
const PRIVATE = /public/;

test.each<[address: string, sandbox: RegExp | undefined, production: RegExp | undefined]>([
  ["8.8.8.8", undefined, undefined],
  ["2606:4700:4700::1111", undefined, undefined],
  // This machine and its neighbours.
  ["127.0.0.1", undefined, PRIVATE],
  ["127.255.255.254", undefined, PRIVATE],
  ["::1", undefined, PRIVATE],
  ["10.0.0.1", undefined, PRIVATE],
  ["172.16.0.1", undefined, PRIVATE],
  ["172.31.255.255", undefined, PRIVATE],
  ["172.32.0.1", undefined, undefined],
  ["192.168.1.1", undefined, PRIVATE],
  ["100.64.0.1", undefined, PRIVATE],
  ["fd12:3456::1", undefined, PRIVATE],
  // Link-local and metadata.
  ["169.254.169.254", NEVER, NEVER],
  ["169.254.0.1", NEVER, NEVER],
  ["fe80::1", NEVER, NEVER],
  ["fe80::1%eth0", NEVER, NEVER],
  ["fd00:ec2::254", NEVER, NEVER],
  ["fd00:ec2::254%eth0", NEVER, NEVER],
  ["fd00:42::42", NEVER, NEVER],
  ["fd20:ce::254", NEVER, NEVER],
  ["100.100.100.200", NEVER, NEVER],
  ["168.63.129.16", NEVER, NEVER],
  ["192.0.0.192", NEVER, NEVER],
  // Nobody's.
  ["0.0.0.0", NEVER, NEVER],
  ["0.1.2.3", NEVER, NEVER],
  ["::", NEVER, NEVER],
  ["255.255.255.255", NEVER, NEVER],
  ["224.0.0.1", NEVER, NEVER],
  ["ff02::1", NEVER, NEVER],
  ["240.0.0.1", NEVER, NEVER],
  ["192.0.2.1", NEVER, NEVER],
  ["198.18.0.1", NEVER, NEVER],
  ["203.0.113.1", NEVER, NEVER],
  ["2001:db8::1", NEVER, NEVER],
  ["fec0::1", NEVER, NEVER],
  ["100::1", NEVER, NEVER],
  ["4000::1", NEVER, NEVER],
  ["2001::1", NEVER, NEVER], // Teredo
  ["64:ff9b:1::a00:1", NEVER, NEVER], // NAT64 of somebody's own
  // IPv4 in IPv6: mapped, translated, NAT64, 6to4, compatible, ISATAP.
  ["::ffff:127.0.0.1", undefined, PRIVATE],
  ["::ffff:7f00:1", undefined, PRIVATE],
  ["::ffff:169.254.169.254", NEVER, NEVER],
  ["::ffff:8.8.8.8", undefined, undefined],
  ["::ffff:0:a9fe:a9fe", NEVER, NEVER],
  ["64:ff9b::169.254.169.254", NEVER, NEVER],
  ["64:ff9b::10.0.0.1", undefined, PRIVATE],
  ["64:ff9b::8.8.8.8", undefined, undefined],
  ["2002:a9fe:a9fe::1", NEVER, NEVER],
  ["2002:0a00:0001::1", undefined, PRIVATE],
  ["::169.254.169.254", NEVER, NEVER],
  ["2606:4700::5efe:169.254.169.254", NEVER, NEVER],
  ["2606:4700::200:5efe:10.0.0.1", undefined, PRIVATE],
  ["2606:4700::5efe:8.8.8.8", undefined, undefined],
  ["fe80::5efe:8.8.8.8", NEVER, NEVER],
  ["fd12:3456::200:5efe:8.8.8.8", undefined, PRIVATE],
  ["2001:db8::5efe:8.8.8.8", NEVER, NEVER],
  // No addresses.
  ["localhost", /valid/, /valid/],
  ["", /valid/, /valid/],
  ["1.2.3", /valid/, /valid/],
])("%s", (address, sandbox, production) => {
  const problems = [addressProblem(address, "PrivateToo"), addressProblem(address, "PublicOnly")];
  for (const [index, expected] of [sandbox, production].entries()) {
    if (expected === undefined) expect(problems[index]).toBeUndefined();
    else expect(problems[index]).toMatch(expected);
  }
});

const octet = fc.integer({ min: 0, max: 255 });

test("an IPv4 address is judged alike in all its IPv6 disguises", () => {
  fc.assert(
    fc.property(octet, octet, octet, octet, (a, b, c, d) => {
      const high = ((a << 8) | b).toString(16);
      const low = ((c << 8) | d).toString(16);
      const plain = `${a}.${b}.${c}.${d}`;
      const disguises = [
        `::ffff:${plain}`,
        `::ffff:0:${high}:${low}`,
        `64:ff9b::${high}:${low}`,
        `2002:${high}:${low}::1`,
      ];
      for (const reach of ["PrivateToo", "PublicOnly"] as const) {
        for (const disguise of disguises) {
          expect(addressProblem(disguise, reach), disguise).toBe(addressProblem(plain, reach));
        }
      }
    }),
  );
});

test("what production may call a sandbox may call too", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      if (addressProblem(address, "PublicOnly") !== undefined) return;
      expect(addressProblem(address, "PrivateToo")).toBeUndefined();
    }),
  );
});
