/** The 26 characters of every id that stands in an example: some moment, then chance. */
const TAIL = "01kc2m8v4qd0s7xfh3bzn6rwte";

export const sampleId = (prefix: string): string => `${prefix}_${TAIL}`;

const SAMPLES = new RegExp(`\\b([a-z]+)_${TAIL}\\b`, "g");

/** Puts ids that are known into the place of examples of their kind. */
export function fillSamples(text: string, known: Readonly<Record<string, string>>): string {
  return text.replace(SAMPLES, (sample, prefix: string) => known[prefix] ?? sample);
}

const IDS = /"(([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25})"/g;

/** The first id of each kind in a JSON text: of a list, the newest. A request's own id is no resource. */
export function idsIn(json: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, id = "", prefix = ""] of json.matchAll(IDS)) {
    if (prefix !== "req") found[prefix] ??= id;
  }
  return found;
}
