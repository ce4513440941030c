import { expect, test } from "vitest";
import { readUrl } from "./url.ts";

const problem = (text: string, reach: "PrivateToo" | "PublicOnly"): string | undefined => {
  const read = readUrl(text, reach);
  return "problem" in read ? read.problem : undefined;
};

test.each([
  ["https://hooks.example.com/florin?x=1", undefined, undefined],
  ["https://hooks.example.com:8443", undefined, undefined],
  ["https://bücher.example/", undefined, undefined],
  ["https://8.8.8.8/", undefined, undefined],
  ["http://hooks.example.com/", undefined, "must be an https URL"],
  ["http://127.0.0.1:4100/", undefined, "must be an https URL"],
  ["https://127.0.0.1/", undefined, "must be a public address"],
  ["https://[::1]:8080/", undefined, "must be a public address"],
  ["https://localhost/", undefined, "must be a public address"],
  ["https://LOCALHOST./", undefined, "must be a public address"],
  ["https://hooks.localhost/", undefined, "must be a public address"],
  ["https://notlocalhost/", undefined, undefined],
  ["https://metadata.google.internal.example.com/", undefined, undefined],
  ["https://10.1.2.3/", undefined, "must be a public address"],
  // Other spellings of 127.0.0.1.
  ["https://2130706433/", undefined, "must be a public address"],
  ["https://0x7f.1/", undefined, "must be a public address"],
  ["https://0177.0.0.1/", undefined, "must be a public address"],
  ["https://127.1/", undefined, "must be a public address"],
  ["https://１２７.０.０.１/", undefined, "must be a public address"],
  ["https://%31%32%37.0.0.1/", undefined, "must be a public address"],
  ["https://[::ffff:127.0.0.1]/", undefined, "must be a public address"],
  ["https://[64:ff9b::7f00:1]/", undefined, "must be a public address"],
])("%s", (text, sandbox, production) => {
  expect([problem(text, "PrivateToo"), problem(text, "PublicOnly")]).toEqual([sandbox, production]);
});

test.each([
  "",
  "hooks.example.com",
  "//hooks.example.com/",
  "ftp://hooks.example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "https://",
  "https:///",
  "https://user@hooks.example.com/",
  "https://user:secret@hooks.example.com/",
  "https://:secret@hooks.example.com/",
  "https://hooks.example.com/a b",
  " https://hooks.example.com/",
  "https://hooks.example.com/\nX: y",
  "https://hooks.example.com\\@10.0.0.1/",
  "https://hooks.example.com:99999/",
  `https://hooks.example.com/${"x".repeat(2048)}`,
  "https://169.254.169.254/latest/meta-data/",
  "https://[fe80::1]/",
  "https://[fd00:ec2::254]/",
  "https://0xa9fea9fe/",
  "https://[::ffff:a9fe:a9fe]/",
  "https://[64:ff9b::a9fe:a9fe]/",
  "https://0.0.0.0/",
  "https://metadata.google.internal/computeMetadata/v1/",
  "https://METADATA.google.internal./",
  "https://metadata.goog/",
  "https://instance-data.ec2.internal/latest/meta-data/",
])("%j is refused everywhere", (text) => {
  expect(problem(text, "PrivateToo")).toMatch(/^must /);
  expect(problem(text, "PublicOnly")).toMatch(/^must /);
});

test("a URL has at most 2048 characters", () => {
  const longest = "https://hooks.example.com/".padEnd(2048, "x");
  expect(problem(longest, "PublicOnly")).toBeUndefined();
  expect(problem(`${longest}x`, "PublicOnly")).toBe("must be at most 2048 characters");
});
