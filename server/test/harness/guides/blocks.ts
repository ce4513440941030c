import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../process.ts";

/** A fenced block of a guide. */
export interface Block {
  /** The guide's file and the line of the fence, to find it by. */
  at: string;
  language: string;
  text: string;
}

export interface Guide {
  file: string;
  blocks: Block[];
}

/** The README and the guides, with all that they show in fences. */
export function readGuides(): Guide[] {
  const folder = join("docs", "guides");
  const names = readdirSync(join(projectRoot, folder)).filter((name) => name.endsWith(".md"));
  return ["README.md", ...names.sort().map((name) => join(folder, name))].map((file) => ({
    file,
    blocks: blocksOf(file, readFileSync(join(projectRoot, file), "utf8")),
  }));
}

function blocksOf(file: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: (Block & { lines: string[] }) | undefined;
  for (const [index, line] of markdown.split("\n").entries()) {
    const fence = /^\s*```(.*)$/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === undefined) {
      open = {
        at: `${file}:${index + 1}`,
        language: fence[1]?.trim() ?? "",
        text: "",
        lines: [],
      };
    } else {
      const { at, language, lines } = open;
      blocks.push({ at, language, text: lines.join("\n") });
      open = undefined;
    }
  }
  return blocks;
}
