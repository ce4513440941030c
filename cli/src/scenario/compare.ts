import { isFields } from "./fields.ts";

/** Where an answer is not as expected, each as `path: expected …, got …`. What is not expected may be anything. */
export function differences(expected: unknown, actual: unknown, path = ""): string[] {
  if (isFields(expected) && isFields(actual)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      differences(value, actual[name], path === "" ? name : `${path}.${name}`),
    );
  }
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    return expected.flatMap((value, index) =>
      differences(value, actual[index], `${path}[${index}]`),
    );
  }
  return Object.is(expected, actual)
    ? []
    : [`${path}: expected ${text(expected)}, got ${text(actual)}`];
}

const text = (value: unknown): string => JSON.stringify(value) ?? "nothing";
