import { configKeys } from "../foundation/config-table.ts";

/** docs/configuration.md, from the table of keys. */
export function renderConfiguration(): string {
  const rows = Object.values(configKeys).map(({ env, shown, doc, secret }) => {
    const fallback = shown === "" ? "–" : `\`${shown}\``;
    return `| \`${env}\` | ${fallback} | ${doc}${secret ? " Secret." : ""} |`;
  });
  return [
    "# Configuration",
    "",
    "<!-- Generated from server/src/foundation/config-table.ts by `npm run generate`. -->",
    "",
    "Florin reads its configuration from the environment, once, at the start. Everything that is wrong, with a",
    "key or with a file that it names, is reported at once and before the database is touched. An unknown",
    "`FLORIN_` key counts as wrong, so that a typing mistake does not pass for a default; so does an argument.",
    "",
    "| key | default | meaning |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
