import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readScript } from "../acquirer/script.ts";
import { columns } from "../clearing-file/line.ts";
import { readPeers } from "./peers.ts";

const guide = readFileSync(
  new URL("../../../../docs/guides/card-network.md", import.meta.url),
  "utf8",
);

test("the guide's peers can be read", () => {
  const block = /```json\n([\s\S]+?)```/.exec(guide)?.[1] ?? "";
  const [peer] = readPeers(block, { isSandbox: false, isTls: false });
  expect(peer).toMatchObject({ name: "acme", requireSignOn: true });
});

test("the guide's script can be read", () => {
  const block = /```\w*\n(\{ "name": "coffee"[\s\S]+?)```/.exec(guide)?.[1] ?? "";
  expect(readScript(block).map(({ send }) => send)).toHaveLength(6);
});

test("the guide lists the columns of a clearing file", () => {
  const section = guide.split("\n## Clearing files\n")[1] ?? "";
  const rows = section
    .split("\n| outcome |")[0]
    ?.split("\n")
    .filter((row) => row.startsWith("| `"));
  const named = (rows ?? []).flatMap((row) => [
    ...(row.split(" | ")[0] ?? "").matchAll(/`(\w+)`/g),
  ]);
  expect(named.map(([, name]) => name).sort()).toEqual([...columns].sort());
});
