import { asFailure } from "../api/failure.ts";

interface ErrorSink {
  setErrors: (errors: Record<string, string>) => void;
}

/** Puts the service's complaints beside the fields they are about; `under` is dropped from names. */
export function showFieldErrors(form: ErrorSink, error: unknown, under = ""): void {
  const entries = asFailure(error).facts.fieldErrors.map(({ field, message }): [string, string] => [
    field.startsWith(`${under}.`) ? field.slice(under.length + 1) : field,
    message,
  ]);
  form.setErrors(Object.fromEntries(entries));
}
