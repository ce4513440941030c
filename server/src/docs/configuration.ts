import type { Key } from "../foundation/config/keys.ts";
import { configKeys } from "../foundation/config/table.ts";

/** docs/configuration.md, from the table of keys. */
export function renderConfiguration(): string {
  const rows = Object.values(configKeys).map((key: Key<unknown>) => {
    const fallback = key.shown === "" ? "–" : `\`${key.shown}\``;
    const bounds = key.bounds === undefined ? "" : ` From ${key.bounds}.`;
    return `| \`${key.env}\` | ${fallback} | ${key.doc}${bounds}${key.secret ? " Secret." : ""} |`;
  });
  return [
    "# Configuration",
    "",
    "<!-- Generated from server/src/foundation/config/table.ts by `npm run generate`. -->",
    "",
    "Florin reads its configuration from the environment, once, at the start. Everything that is wrong, with a",
    "key or with a file that it names, is reported at once and before the database is touched. An unknown",
    "`FLORIN_` key counts as wrong, so that a typing mistake does not pass for a default. An argument is refused, too.",
    "",
    "What is marked as secret may be in a file instead, as containers are given secrets. The key with `_FILE` at its",
    "end names it: `FLORIN_MASTER_KEY_FILE=/run/secrets/florin-master-key`. White space around the secret is left out.",
    "",
    "| key | default | meaning |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
