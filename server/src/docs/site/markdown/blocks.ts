/** A document cut into its blocks; text inside is still Markdown. */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "code"; language: string; code: string }
  | { kind: "list"; isOrdered: boolean; items: Block[][] }
  | { kind: "table"; head: string[]; rows: string[][] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "rule" };

const FENCE = /^\s*(?:`{3,}|~{3,})\s*(\w*)/;
const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const ITEM = /^(\s*)([-*+]|\d+[.)])\s+(.*)$/;
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

/** As much of Markdown as guides and descriptions use; comments are left out. */
export function parseMarkdown(text: string): Block[] {
  return parseLines(text.replace(/<!--.*?-->/gs, "").split(/\r?\n/));
}

function parseLines(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, next] = parseAt(lines, at);
    if (block !== undefined) blocks.push(block);
    at = next;
  }
  return blocks;
}

type Parsed = [block: Block | undefined, next: number];

function parseAt(lines: readonly string[], at: number): Parsed {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [undefined, at + 1];
  const heading = HEADING.exec(line);
  if (heading !== null) {
    return [{ kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" }, at + 1];
  }
  if (FENCE.test(line)) return parseCode(lines, at);
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  if (ITEM.test(line)) return parseList(lines, at);
  if (line.startsWith(">")) return parseQuote(lines, at);
  if (line.includes("|") && TABLE_RULE.test(lines[at + 1] ?? "")) return parseTable(lines, at);
  const next = endOf(lines, at + 1, (next) => next.trim() !== "" && !startsBlock(next));
  return [{ kind: "paragraph", text: lines.slice(at, next).join("\n").trim() }, next];
}

const startsBlock = (line: string): boolean =>
  HEADING.test(line) || FENCE.test(line) || ITEM.test(line) || line.startsWith(">");

/** The first line that no longer belongs. */
function endOf(lines: readonly string[], from: number, belongs: (line: string) => boolean): number {
  const found = lines.findIndex((line, i) => i >= from && !belongs(line));
  return found === -1 ? lines.length : found;
}

function parseCode(lines: readonly string[], at: number): Parsed {
  const opening = lines[at] ?? "";
  const fence = opening.trim().slice(0, 3);
  const indent = opening.length - opening.trimStart().length;
  const end = endOf(lines, at + 1, (line) => !line.trim().startsWith(fence));
  const code = lines.slice(at + 1, end).map((line) => line.slice(Math.min(indent, indentOf(line))));
  return [
    { kind: "code", language: FENCE.exec(opening)?.[1] ?? "", code: code.join("\n") },
    end + 1,
  ];
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

function parseList(lines: readonly string[], at: number): Parsed {
  const [, indent = "", bullet = ""] = ITEM.exec(lines[at] ?? "") ?? [];
  const items: string[][] = [];
  let next = at;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? "";
    const item = ITEM.exec(line);
    const isOwn = item !== null && item[1] === indent;
    if (isOwn) items.push([item[3] ?? ""]);
    else if (line.trim() === "" || indentOf(line) > indent.length || !startsAfresh(lines, next)) {
      items.at(-1)?.push(line);
    } else break;
  }
  const blocks = items.map(([first = "", ...rest]) => parseLines([first, ...outdent(rest)]));
  return [{ kind: "list", isOrdered: /\d/.test(bullet), items: blocks }, next];
}

/** Whether a line that is not indented begins something new: it follows a blank or is a block. */
function startsAfresh(lines: readonly string[], at: number): boolean {
  return (lines[at - 1] ?? "").trim() === "" || startsBlock(lines[at] ?? "");
}

function outdent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== "").map(indentOf);
  const shared = Math.min(...indents);
  return lines.map((line) => line.slice(Math.min(shared, indentOf(line))));
}

function parseQuote(lines: readonly string[], at: number): Parsed {
  const end = endOf(lines, at, (line) => line.startsWith(">"));
  const inner = lines.slice(at, end).map((line) => line.replace(/^>\s?/, ""));
  return [{ kind: "quote", blocks: parseLines(inner) }, end];
}

function parseTable(lines: readonly string[], at: number): Parsed {
  const end = endOf(lines, at + 2, (line) => line.includes("|"));
  return [
    { kind: "table", head: cellsOf(lines[at] ?? ""), rows: lines.slice(at + 2, end).map(cellsOf) },
    end,
  ];
}

/** A bar inside code or behind a backslash separates nothing. */
function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  const cells = inner.match(/(?:`[^`]*`|\\.|[^|])+|(?<=\|)(?=\|)/g) ?? [];
  return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
}
