import { isIPv6 } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addressKey } from "./address.ts";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["203.0.113.255", "203.0.113.255"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:203.0.113.7", "203.0.113.7"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:DB8::", "2001:db8:0:0::/64"],
  ["2001:0db8:0000:0000:ffff:ffff:ffff:ffff", "2001:db8:0:0::/64"],
  ["2001:db8:0:1::1", "2001:db8:0:1::/64"], // the next /64 is somebody else's
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2:3:4:5::", "2001:db8:1:2::/64"],
  ["::3:4:5:6", "0:0:0:0::/64"],
  ["1::8", "1:0:0:0::/64"],
  ["::2:3:4:5:6:7:8", "0:2:3:4::/64"],
  ["64:ff9b::203.0.113.7", "64:ff9b:0:0::/64"], // translated, not mapped
  ["1:2:3:4:5:6:203.0.113.7", "1:2:3:4::/64"],
  ["::203.0.113.7", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["not an address", "not an address"],
  ["", ""],
])("%s -> %s", (ip, key) => {
  expect(addressKey(ip)).toBe(key);
});

test("every address of a /64 has its key, however it is written", () => {
  const group = fc.oneof(fc.constant(0), fc.nat(0xffff));
  const groups = fc.array(group, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(groups, groups, fc.nat(7), (address, other, from) => {
      fc.pre(address.slice(0, 4).some((each) => each !== 0));
      const prefix = address.slice(0, 4);
      const expected = `${prefix.map((each) => each.toString(16)).join(":")}::/64`;
      const texts = [address, [...prefix, ...other.slice(4)]].map((each) => shortened(each, from));
      for (const text of texts) {
        expect(isIPv6(text)).toBe(true);
        expect(addressKey(text)).toBe(expected);
        expect(addressKey(text.toUpperCase())).toBe(expected);
      }
    }),
  );
});

/** Writes `::` for the zeros, if any, that begin at the group. */
function shortened(groups: readonly number[], from: number): string {
  const text = (part: readonly number[]) => part.map((group) => group.toString(16)).join(":");
  const end = groups.findIndex((group, index) => index >= from && group !== 0);
  const to = end === -1 ? groups.length : end;
  return to === from ? text(groups) : `${text(groups.slice(0, from))}::${text(groups.slice(to))}`;
}
