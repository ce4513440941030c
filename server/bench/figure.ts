import type { Bench } from "./bench.ts";

/** What one sample found. Details explain the value; they have no targets. */
export interface Sample {
  value: number;
  details?: Details;
  /** What a reader must know to judge the value. */
  remark?: string;
  /** What must never happen, and did: the target is missed whatever the value. */
  violation?: string;
}

export type Details = Partial<Record<keyof typeof detailTitles, number>>;

/** What the names end with is the unit. */
export const detailTitles = {
  averageMs: "average",
  p50Ms: "p50",
  p99Ms: "p99",
  answerP99Ms: "p99 of the answers",
  sentLateP99Ms: "sent late p99",
  offeredPerSecond: "offered",
  answeredPerSecond: "answered",
  deliveriesPerSecond: "deliveries",
  askedCount: "asked",
  timeOutsCount: "time-outs",
  falseTimeOutsCount: "false time-outs",
  serviceCpuUs: "service CPU",
  databaseCpuUs: "database CPU",
  loadCpuUs: "load generator CPU",
  peakMb: "memory, peak",
  screenMs: "open a screen",
  detailMs: "open a card",
  filterMs: "apply a filter",
  dialogMs: "open and close a dialog",
  freezeMs: "freeze a card",
  searchMs: "search",
};

/** How anything that is measured is spoken of. */
export interface Named {
  name: string;
  title: string;
  unit: Unit;
}

export type Unit = "/s" | "s" | "ms" | "µs" | "MB";

/** Something that can be measured again and again: a figure of Florin, or what it is held against. */
export interface Measurement extends Named {
  measure(bench: Bench): Promise<Sample>;
}

export interface Yardstick extends Measurement {
  /** Why it cannot be had on this machine. */
  missing?(bench: Bench): Promise<string | undefined>;
}

export interface Pair {
  sample: Sample;
  yardstick?: Sample;
}

interface Judged extends Named {
  /** What it is divided by; without one the target is for the value itself. */
  yardstick?: Named;
  target: Target;
}

export interface MeasuredFigure extends Judged {
  yardstick?: Yardstick;
  /** What sets its load. It is measured in each pair too, and the target is for the value itself. */
  pace?: { share: number; of: Yardstick };
  /** `perSecond` is the load that the pace asks for. */
  measure(bench: Bench, perSecond: number): Promise<Sample>;
}

/** A figure that the samples of another one show, so that it takes no time of its own. */
export interface SeenFigure extends Judged {
  seenIn: MeasuredFigure;
  read(pair: Pair): Pair;
}

export type Figure = MeasuredFigure | SeenFigure;

export const paceOf = (figure: Figure): MeasuredFigure["pace"] =>
  "pace" in figure ? figure.pace : undefined;

/** What is measured beside it in each pair. */
export const yardstickOf = (figure: Figure): Named | undefined =>
  figure.yardstick ?? paceOf(figure)?.of;

export interface Target {
  bound: "at least" | "at most";
  value: number;
  /** What we would rather have. */
  aim?: number;
}
