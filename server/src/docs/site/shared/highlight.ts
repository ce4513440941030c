export type Language = "json" | "bash" | "javascript" | "python" | "text";

export interface Token {
  /** Absent for text without a colour of its own. */
  kind?: "comment" | "key" | "string" | "number" | "keyword";
  text: string;
}

const DOUBLE_QUOTED = String.raw`"(?:\\.|[^"\\\n])*"`;
const SINGLE_QUOTED = String.raw`'(?:\\.|[^'\\\n])*'`;
const NUMBER = String.raw`(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b`;
const words = (list: string): string => String.raw`(?<![\w.$-])(?:${list})(?![\w-])`;

/** One alternative for each kind, in the order in which they are tried. */
const GRAMMARS: Record<Language, RegExp> = {
  json: grammar({
    key: String.raw`${DOUBLE_QUOTED}(?=\s*:)`,
    string: DOUBLE_QUOTED,
    number: NUMBER,
    keyword: words("true|false|null"),
  }),
  bash: grammar({
    comment: String.raw`(?<=^|\s)#.*`,
    string: String.raw`"(?:\\.|[^"\\])*"|'[^']*'`,
    keyword: words("for|do|done|case|esac|in|local|printf|curl|openssl|sed|tr|cut|export|node"),
  }),
  javascript: grammar({
    comment: "//.*",
    key: String.raw`(?:${DOUBLE_QUOTED}|(?<=[{,]\s*)\w+)(?=:)`,
    string: String.raw`${DOUBLE_QUOTED}|\`(?:\\.|[^\`\\])*\``,
    number: NUMBER,
    keyword: words("import|from|const|await|new|true|false|null|async|function|return"),
  }),
  python: grammar({
    comment: "#.*",
    key: `${DOUBLE_QUOTED}(?=:)`,
    string: `[fb]?(?:${DOUBLE_QUOTED}|${SINGLE_QUOTED})`,
    number: NUMBER,
    keyword: words("import|from|with|as|try|except|def|return|print|True|False|None"),
  }),
  text: /(?!)/g,
};

type Kind = NonNullable<Token["kind"]>;

function grammar(kinds: Partial<Record<Kind, string>>): RegExp {
  const parts = Object.entries(kinds).map(([kind, pattern]) => `(?<${kind}>${pattern})`);
  return new RegExp(parts.join("|"), "gm");
}

/** Cuts code into pieces of one colour; put together, they are the code again. */
export function tokensOf(code: string, language: Language): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of code.matchAll(GRAMMARS[language])) {
    if (match.index > end) tokens.push({ text: code.slice(end, match.index) });
    const found = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined);
    tokens.push({ kind: (found?.[0] ?? "string") as Kind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < code.length) tokens.push({ text: code.slice(end) });
  return tokens;
}
