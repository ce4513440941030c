import { isMap, LineCounter, parseDocument } from "yaml";
import { usageFailure } from "../exit.ts";
import { type Action, actions, formOf, isAction, type Made } from "./actions.ts";
import { isFields, problemWith } from "./fields.ts";
import type { Fields, Scenario, Step } from "./scenario.ts";

const MAX_STEPS = 500;
const MAX_CHARACTERS = 256 * 1024;
const BESIDE_THE_ACTION = ["title", "expect", "refused"];

/** Reads a scenario strictly; a mistake is told with its file, line, step and field. */
export function readScenario(text: string, file: string): Scenario {
  if (text.length > MAX_CHARACTERS)
    throw usageFailure(`${file}: is larger than a scenario may be.`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw usageFailure(
      `${file}:${lines.linePos(broken.pos[0]).line}: is not YAML: ${broken.message}`,
    );
  }
  const content: unknown = document.toJS({ maxAliasCount: 100 });
  if (!isFields(content)) throw usageFailure(`${file}: must be a map with title, about and steps.`);
  const { title, about = "", steps, ...others } = content;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw usageFailure(`${file}: there is no field ${unknown}.`);
  if (typeof title !== "string" || title === "") throw usageFailure(`${file}: title is missing.`);
  if (typeof about !== "string") throw usageFailure(`${file}: about is a text.`);
  if (!Array.isArray(steps) || steps.length === 0)
    throw usageFailure(`${file}: steps is a list of steps.`);
  if (steps.length > MAX_STEPS) throw usageFailure(`${file}: has more than ${MAX_STEPS} steps.`);

  const lineOf = (index: number): number => {
    const node = document.getIn(["steps", index], true);
    const start = isMap(node) ? node.range?.[0] : undefined;
    return start === undefined ? 1 : lines.linePos(start).line;
  };
  const names = new Names();
  const read = steps.map((step: unknown, index) => {
    const fail = (what: string): never => {
      throw usageFailure(`${file}:${lineOf(index)}: step ${index + 1}${what}`);
    };
    return readStep(step, names, fail);
  });
  return { name: nameOf(file), title, about: about.trim(), steps: read };
}

type Fail = (what: string) => never;

function readStep(step: unknown, names: Names, fail: Fail): Step {
  if (!isFields(step)) return fail(`: is a map of one action, such as "authorize: { amount: 25 }"`);
  const keys = Object.keys(step).filter((key) => !BESIDE_THE_ACTION.includes(key));
  const [action, second] = keys;
  if (action === undefined) return fail(": has no action");
  if (!isAction(action))
    return fail(`: there is no action ${action}; there are ${Object.keys(actions).join(", ")}`);
  if (second !== undefined) return fail(`: has two actions, ${action} and ${second}`);
  const inAction: Fail = (what) => fail(` (${action}): ${what}`);
  const { title, expect, refused } = step;
  if (title !== undefined && typeof title !== "string") return inAction("title is a text");
  if (expect !== undefined && !isFields(expect)) return inAction("expect is a map of fields");
  if (refused !== undefined && !(typeof refused === "string" && /^\d{3}$/.test(refused))) {
    return inAction('refused is a responseCode in quotes, such as "116"');
  }
  if (expect !== undefined && refused !== undefined) {
    return inAction("expect and refused exclude each other: what is refused has no answer");
  }
  return {
    action,
    fields: readFields(action, step[action], names, inAction),
    ...(title === undefined ? {} : { title }),
    ...(expect === undefined ? {} : { expect }),
    ...(refused === undefined ? {} : { refused }),
  };
}

function readFields(action: Action, value: unknown, names: Names, fail: Fail): Fields {
  const { fields: kinds, required = [], shorthand, makes, worksOn } = formOf(action);
  const fields = fieldsOf(value, shorthand, fail);
  for (const [name, given] of Object.entries(fields)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) {
      return fail(
        `there is no field ${name}; there are ${Object.keys(kinds).join(", ") || "none"}`,
      );
    }
    const problem = problemWith(kind, given);
    if (problem !== undefined) return fail(`${name} ${problem}`);
    if (kind === "card" || kind === "transaction" || kind === "customer") {
      if (!names.has(kind, String(given)))
        return fail(`${name}: no step before this one makes a ${kind} named ${given}`);
    }
  }
  const missing = required.find((name) => fields[name] === undefined);
  if (missing !== undefined) return fail(`${missing} is missing`);
  if (worksOn !== undefined && fields[worksOn] === undefined && !names.hasAny(worksOn)) {
    return fail(`no step before this one makes a ${worksOn}`);
  }
  if (makes !== undefined)
    names.add(makes, fields.as === undefined ? undefined : String(fields.as));
  return fields;
}

function fieldsOf(
  value: unknown,
  shorthand: string | undefined,
  fail: Fail,
): Record<string, unknown> {
  if (value === null || value === undefined) return {};
  if (isFields(value)) return value;
  if (shorthand !== undefined) return { [shorthand]: value };
  return fail("is a map of fields");
}

/** What the steps so far have made. */
class Names {
  readonly #known = new Map<Made, Set<string | undefined>>();

  add(kind: Made, name: string | undefined): void {
    this.#known.set(kind, (this.#known.get(kind) ?? new Set()).add(name));
  }

  has(kind: Made, name: string): boolean {
    return this.#known.get(kind)?.has(name) === true;
  }

  hasAny(kind: Made): boolean {
    return this.#known.has(kind);
  }
}

const nameOf = (file: string): string =>
  file.replace(/^.*[\\/]/, "").replace(/\.ya?ml$|\.json$/, "");
