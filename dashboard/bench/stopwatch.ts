import type { Page } from "playwright-core";

/** A script for the page, so that nothing of the way to it is measured. */
const SCRIPT = `
  const INPUTS = ["pointerdown", "keydown", "input", "change"];
  window.stopwatch = (isShown) => new Promise((resolve) => {
    let startedAt;
    const start = ({ timeStamp }) => {
      startedAt = timeStamp;
      for (const type of INPUTS) removeEventListener(type, start, true);
      requestAnimationFrame(look);
    };
    const look = () => {
      if (!isShown()) return requestAnimationFrame(look);
      // What this frame paints is behind it when the message arrives.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve({ startedAt, shownAt: performance.now(), answers: answers() });
      port2.postMessage("");
    };
    const answers = () => performance.getEntriesByType("resource")
      .filter(({ name }) => /^\\/(api|dashboard)\\//.test(new URL(name).pathname))
      .map(({ requestStart, responseEnd }) => [requestStart, responseEnd]);
    for (const type of INPUTS) addEventListener(type, start, true);
    performance.setResourceTimingBufferSize(10000);
  });
`;

interface Run {
  startedAt: number;
  shownAt: number;
  /** When the service was asked, and when its answer was there. */
  answers: [askedAt: number, answeredAt: number][];
}

export async function putStopwatch(page: Page): Promise<void> {
  await page.evaluate(SCRIPT);
}

/**
 * Milliseconds from the first input of `act` until the page has painted what `isShown`, an expression for
 * the page, looks for; without those in which it waited for the service.
 */
export async function timeOf(
  page: Page,
  isShown: string,
  act: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate(`window.run = window.stopwatch(() => ${isShown}); undefined`);
  await act();
  const run = (await page.evaluate("window.run")) as Run;
  return run.shownAt - run.startedAt - waitedMs(run);
}

/** Answers that were awaited side by side count once. */
export function waitedMs({ startedAt, shownAt, answers }: Run): number {
  const spans = answers
    .map(([from, to]) => [Math.max(from, startedAt), Math.min(to, shownAt)] as const)
    .filter(([from, to]) => to > from)
    .sort(([a], [b]) => a - b);
  let waited = 0;
  let until = 0;
  for (const [from, to] of spans) {
    waited += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return waited;
}
