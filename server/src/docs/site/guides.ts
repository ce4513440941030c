import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderConfiguration } from "../configuration.ts";

/** A text for people, in Markdown. */
export interface Guide {
  slug: string;
  title: string;
  text: string;
}

/** The guides of this installation, by file name, and last the one that the code itself writes. */
export function readGuides(): Guide[] {
  const directory = findGuides(dirname(fileURLToPath(import.meta.url)));
  const written = directory === undefined ? [] : readAll(directory);
  return [
    ...written,
    { slug: "configuration", title: "Configuration", text: renderConfiguration() },
  ];
}

function readAll(directory: string): Guide[] {
  const files = readdirSync(directory).filter((file) => file.endsWith(".md"));
  return files.sort().map((file) => {
    const text = readFileSync(join(directory, file), "utf8");
    const slug = file.replace(/\.md$/, "").toLowerCase();
    return { slug, text, title: /^# (.+)$/m.exec(text)?.[1] ?? slug };
  });
}

/** The sources and the bundle lie at different depths below the root. */
function findGuides(from: string): string | undefined {
  const candidate = join(from, "docs", "guides");
  if (existsSync(candidate)) return candidate;
  const parent = dirname(from);
  return parent === from ? undefined : findGuides(parent);
}
