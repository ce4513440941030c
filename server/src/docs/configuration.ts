import { configKeys } from "../foundation/config.ts";

/** docs/configuration.md, from the table of keys. */
export function renderConfiguration(): string {
  const rows = Object.values(configKeys).map(({ env, shown, doc, secret }) => {
    const fallback = shown === "" ? "–" : `\`${shown}\``;
    return `| \`${env}\` | ${fallback} | ${doc}${secret ? " Secret." : ""} |`;
  });
  return [
    "# Configuration",
    "",
    "<!-- Generated from server/src/foundation/config.ts by `npm run generate`. -->",
    "",
    "Florin reads its configuration from the environment, once, at the start. Everything that is wrong is",
    "reported at once, and an unknown `FLORIN_` key counts as wrong, so that a typing mistake does not pass",
    "for a default.",
    "",
    "| key | default | meaning |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
