import type { Action } from "./actions.ts";

export type Fields = Readonly<Record<string, unknown>>;

export interface Step {
  action: Action;
  fields: Fields;
  /** Said instead of the step's own words when it runs. */
  title?: string;
  /** What the answer must have, among other things. */
  expect?: Fields;
  /** The responseCode with which the service must refuse it. */
  refused?: string;
}

/** A story that the sandbox plays, with what must be true on the way. */
export interface Scenario {
  /** The name of its file, without the ending. */
  name: string;
  title: string;
  about: string;
  steps: readonly Step[];
}
