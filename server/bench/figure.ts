import type { Bench } from "./bench.ts";

/** What one sample found. Details explain the value; they have no targets. */
export interface Sample {
  value: number;
  details?: Details;
}

export type Details = Partial<Record<keyof typeof detailTitles, number>>;

export const detailTitles = {
  averageMs: "average ms",
  p50Ms: "p50 ms",
  p99Ms: "p99 ms",
  serviceCpuUs: "service CPU µs",
  databaseCpuUs: "database CPU µs",
  loadCpuUs: "load generator CPU µs",
};

/** Something that can be measured again and again: a figure of Florin, or what it is held against. */
export interface Measurement {
  name: string;
  title: string;
  unit: Unit;
  measure(bench: Bench): Promise<Sample>;
}

export type Unit = "/s" | "s" | "MB";

export interface Yardstick extends Measurement {
  /** Why it cannot be had on this machine. */
  missing?(bench: Bench): Promise<string | undefined>;
}

export interface Figure extends Measurement {
  /** What it is divided by; without one the target is for the value itself. */
  yardstick?: Yardstick;
  target: Target;
}

export interface Target {
  bound: "at least" | "at most";
  value: number;
  /** What we would rather have. */
  aim?: number;
}
