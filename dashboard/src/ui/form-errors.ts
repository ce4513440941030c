import type { FormErrors } from "@mantine/form";
import { asFailure } from "../api/failure.ts";

interface Form {
  values: object;
  setErrors: (errors: Record<string, string>) => void;
  getInputNode: (path: string) => HTMLElement | null;
}

/** Puts the service's complaints beside the fields they are about; `under` is dropped from names. */
export function showFieldErrors(form: Form, error: unknown, under = ""): void {
  const entries = asFailure(error).facts.fieldErrors.flatMap(({ field, message }) => {
    const path = pathOf(form.values, field, under);
    return path === undefined ? [] : [[path, message] as const];
  });
  form.setErrors(Object.fromEntries(entries));
}

/** The same for a form that keeps its values itself: its fields by the names that the service knows them by. */
export function complaintsAt<Name extends string>(error: Error | null, ...names: Name[]) {
  const nameOf = (field: string) =>
    names.find((name) => field === name || field.startsWith(`${name}.`));
  const complaints: Partial<Record<Name, string>> = {};
  for (const { field, message } of error === null ? [] : asFailure(error).facts.fieldErrors) {
    const name = nameOf(field);
    if (name !== undefined) complaints[name] ??= message;
  }
  return { complaints, isAtField: (field: string) => nameOf(field) !== undefined };
}

/** Whether a complaint of the service stands at a field already. */
export const isAtField =
  (form: Form, under = "") =>
  (field: string): boolean =>
    pathOf(form.values, field, under) !== undefined;

interface Refusable {
  isError: boolean;
  reset: () => void;
}

/** What was refused is not what stands in the form once that is changed. One under way goes on. */
export function forgetRefusal(action: Refusable): void {
  if (action.isError) action.reset();
}

/** Takes the reader to what is to be mended first. */
export const toFirstError = (form: Form) => (errors: FormErrors) =>
  form.getInputNode(Object.keys(errors)[0] ?? "")?.focus();

/** The field of the form that the service means. An entry of a list is part of the list's field. */
function pathOf(values: object, name: string, under: string): string | undefined {
  const steps = (name.startsWith(`${under}.`) ? name.slice(under.length + 1) : name).split(".");
  let value: unknown = values;
  for (const [index, step] of steps.entries()) {
    value = (value as Record<string, unknown>)[step];
    if (value === undefined) return undefined;
    if (!isGroup(value)) return steps.slice(0, index + 1).join(".");
  }
  return undefined;
}

const isGroup = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);
