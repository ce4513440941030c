import type { PresentedCard } from "../../src/network/acquirer/terminal.ts";
import { Terminal } from "../../src/network/acquirer/terminal.ts";
import { decode } from "../../src/network/iso8583/decode.ts";
import { encode } from "../../src/network/iso8583/encode.ts";
import type { MeasuredFigure, Sample } from "../figure.ts";

/** Calls between two looks at the clock. */
const AT_ONCE = 1_000;
const WARM_UP_SECONDS = 0.5;
const SECONDS = 1;

const CARD: PresentedCard = {
  pan: "4111111111111111",
  currency: "USD",
  expiry: { month: 12, year: 2099 },
  cvv: "123",
};

/** A purchase with all that a terminal sends: 17 fields. */
const purchase = new Terminal().purchase(CARD, 125n);
const bytes = encode(purchase);

/** In this process, once the runtime has made the most of it. */
async function measureCall(call: () => unknown): Promise<Sample> {
  repeat(call, WARM_UP_SECONDS);
  return { value: repeat(call, SECONDS) };
}

/** Gives the microseconds of CPU time that one call takes, its garbage included. */
function repeat(call: () => unknown, seconds: number): number {
  const before = process.cpuUsage();
  for (let calls = AT_ONCE; ; calls += AT_ONCE) {
    for (let n = 0; n < AT_ONCE; n++) call();
    const { user, system } = process.cpuUsage(before);
    if (user + system >= seconds * 1_000_000) return (user + system) / calls;
  }
}

export const codecDecode: MeasuredFigure = {
  name: "codec-decode",
  title: "ISO 8583 purchase decoded, CPU time",
  unit: "µs",
  target: { bound: "at most", value: 20 },
  measure: () => measureCall(() => decode(bytes)),
};

export const codecEncode: MeasuredFigure = {
  name: "codec-encode",
  title: "ISO 8583 purchase encoded, CPU time",
  unit: "µs",
  target: { bound: "at most", value: 20 },
  measure: () => measureCall(() => encode(purchase)),
};
