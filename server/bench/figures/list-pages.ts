import type { Bench } from "../bench.ts";
import type { Figure, Sample, Yardstick } from "../figure.ts";
import { driveService } from "../load/drive.ts";

const PAGE = 20;
const DEEP_PAGE = 1_000;

/** The time of one page, read over and over by all connections. */
async function measurePage(bench: Bench, number: number): Promise<Sample> {
  const { cursorOfPage } = await bench.millionCards();
  const cursor = number === 1 ? "" : `&cursor=${await cursorOfPage(number, PAGE)}`;
  return driveService(bench, { method: "GET", path: `/cards?limit=${PAGE}${cursor}` });
}

const firstPage: Yardstick = {
  name: "page-1",
  title: "page 1",
  unit: "/s",
  measure: (bench) => measurePage(bench, 1),
};

export const deepPage: Figure = {
  name: "page-1000",
  title: "GET /api/v1/cards, page 1,000 of 1,000,000 cards",
  unit: "/s",
  yardstick: firstPage,
  target: { bound: "at least", value: 0.67, aim: 1 },
  measure: (bench) => measurePage(bench, DEEP_PAGE),
};
