import { inWords } from "../ui/words.ts";

/** How the page writes names of the service, where it is not just the name in words. */
const LABELS: Record<string, string> = {
  email: "E-mail",
  from: "From",
  mids: "Merchant ids",
  since: "Send what failed since",
  to: "Until",
  url: "Address",
};

/** What a reader calls a field: of one in a group its own name, of an entry that of its list. */
export function labelOf(field: string): string {
  const names = field.split(/[.[\]]+/).filter((step) => /\D/.test(step));
  const name = names.at(-1) ?? field;
  return LABELS[name] ?? inWords(name);
}

/** A sentence of the service, which writes its fields as `from`. */
export const withLabels = (sentence: string): string =>
  sentence.replaceAll(/`(\w+)`/g, (_quoted, name: string) => `“${labelOf(name)}”`);
