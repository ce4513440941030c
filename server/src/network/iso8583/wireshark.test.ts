import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encode } from "./encode.ts";
import { fieldList, type Message } from "./fields.ts";
import { frame } from "./framing.ts";
import { arbitraryMessage } from "./golden/arbitrary.ts";
import { goldenMessages } from "./golden/golden.ts";
import { capture } from "./golden/pcap.ts";

const PORT = 4003;
// Wireshark looks at nothing shorter, as if bitmaps were always in hexadecimal.
const SHORTEST = 20;
const isInstalled = spawnSync("tshark", ["--version"]).status === 0;

describe.skipIf(!isInstalled)("Wireshark (skipped where tshark is not installed)", () => {
  test("reads the golden messages as we do", () => {
    const read = dissect(goldenMessages.map(({ bytes }) => bytes));
    expect(read).toEqual(goldenMessages.map(expected));
  });

  test("reads as we do whatever we write", () => {
    const messages = fc
      .sample(arbitraryMessage, { numRuns: 300, seed: 8583 })
      .map((message) => ({ message, bytes: encode(message) }))
      .filter(({ bytes }) => bytes.length >= SHORTEST);
    expect(messages.length).toBeGreaterThan(200);
    expect(dissect(messages.map(({ bytes }) => bytes))).toEqual(messages.map(expected));
  });
});

const numbers = fieldList.map(({ number }) => number);

function expected({ bytes, message }: { bytes: Buffer; message: Message }): string[] {
  return [
    String(bytes.length),
    message.mti,
    ...numbers.map((number) => message.fields[number] ?? ""),
    "",
  ];
}

/** What Wireshark's own dissector finds in each message: length, type, fields, complaints. */
function dissect(messages: readonly Buffer[]): string[][] {
  const directory = mkdtempSync(join(tmpdir(), "florin-capture-"));
  try {
    const file = join(directory, "messages.pcap");
    writeFileSync(file, capture(messages.map(frame), PORT));
    const columns = [
      "iso8583.len",
      "iso8583.mti",
      ...numbers.map((number) => `iso8583.bit${number}`),
      "_ws.expert.message",
    ];
    const output = execFileSync(
      "tshark",
      [
        ...["-n", "-r", file, "-d", `tcp.port==${PORT},iso8583`],
        ...["-o", "iso8583.len_endian:Big endian"],
        ...["-o", "iso8583.charset:Digits represented as ASCII Characters"],
        ...["-o", "iso8583.binencode:Bin data not encoded"],
        ...["-T", "fields", "-E", "separator=/t", ...columns.flatMap((name) => ["-e", name])],
      ],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    const lines = output.toString().split("\n").slice(0, -1);
    return lines.map((line) => line.split("\t"));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
