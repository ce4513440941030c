import { expect } from "vitest";

/** Expects something of a page that takes its time, as long as locators wait for theirs. */
export const soon = <T>(ask: () => Promise<T>) => expect.poll(ask, { timeout: 30_000 });
