import type { EventType } from "@florin/sdk";
import { type CommandFailure, usageFailure } from "../exit.ts";
import { florinCommand } from "../project.ts";
import { eventTypes } from "../scenario/recipes.ts";
import { nearest } from "../terminal/nearest.ts";
import { commaList } from "./options.ts";

const FAMILIES = [...new Set(eventTypes.map((type) => `${type.split(".")[0]}.*`))];

/** The type of events that is called so. */
export function eventTypeOf(name: string): EventType {
  const type = eventTypes.find((one) => one === name);
  if (type === undefined) throw unknownEvent(name, eventTypes);
  return type;
}

/** Types as they are typed, such as `card.issued,transaction.*`. One that never happens would be waited for in vain. */
export function eventPatterns(text: string): string[] {
  const patterns = commaList(text);
  if (patterns.length === 0) throw usageFailure("--events needs a type, such as card.issued.");
  const unknown = patterns.find((pattern) => !eventTypes.some((type) => fits(type, pattern)));
  if (unknown !== undefined) throw unknownEvent(unknown, [...eventTypes, ...FAMILIES]);
  return patterns;
}

export function isWanted(type: string, patterns: readonly string[] | undefined): boolean {
  return patterns === undefined || patterns.some((pattern) => fits(type, pattern));
}

function fits(type: string, pattern: string): boolean {
  return pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

function unknownEvent(name: string, known: readonly string[]): CommandFailure {
  const meant = nearest(name, known);
  const guess = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return usageFailure(`There is no event ${name}.${guess} "${florinCommand} trigger" lists them.`);
}
