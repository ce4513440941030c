import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What `sign` of a guide is called with. */
export type SignArguments = [
  method: string,
  url: string,
  reference: string,
  clientId: string,
  clientSecret: string,
];

interface Language {
  /** Must be there for the language to be tried. */
  program: string;
  file: string;
  /** The guide's function and a call of it with the program's arguments, as one program. */
  wrap(snippet: string): string;
  /** What runs it, in its folder. */
  commands(args: string[]): [string, ...string[]][];
}

const ARGUMENTS = [0, 1, 2, 3, 4];

const languages: Record<string, Language> = {
  js: {
    program: "node",
    file: "sign.mjs",
    wrap: (snippet) => `${snippet}\nprocess.stdout.write(sign(...process.argv.slice(2)));\n`,
    commands: (args) => [["node", "sign.mjs", ...args]],
  },
  python: {
    program: "python3",
    file: "sign.py",
    wrap: (snippet) => `${snippet}\nimport sys\nprint(sign(*sys.argv[1:]), end="")\n`,
    commands: (args) => [["python3", "sign.py", ...args]],
  },
  php: {
    program: "php",
    file: "sign.php",
    wrap: (snippet) => `<?php\n${snippet}\necho sign(...array_slice($argv, 1));\n`,
    commands: (args) => [["php", "sign.php", ...args]],
  },
  java: {
    program: "javac",
    file: "Main.java",
    wrap: (snippet) => {
      const imports = snippet.match(/^import .*;$/gm) ?? [];
      const body = snippet.replace(/^import .*;$\n?/gm, "");
      const call = `sign(${ARGUMENTS.map((n) => `args[${n}]`).join(", ")})`;
      return `${imports.join("\n")}
public class Main {
${body}
  public static void main(String[] args) throws Exception { System.out.print(${call}); }
}
`;
    },
    commands: (args) => [
      ["javac", "Main.java"],
      ["java", "Main", ...args],
    ],
  },
  csharp: {
    program: "mcs",
    file: "Program.cs",
    wrap: (snippet) => {
      const usings = snippet.match(/^using .*;$/gm) ?? [];
      const body = snippet.replace(/^using .*;$\n?/gm, "");
      const call = `Sign(${ARGUMENTS.map((n) => `args[${n}]`).join(", ")})`;
      return `${usings.join("\n")}
public class Program {
${body}
  public static void Main(string[] args) { Console.Write(${call}); }
}
`;
    },
    commands: (args) => [
      ["mcs", "Program.cs"],
      ["mono", "Program.exe", ...args],
    ],
  },
  go: {
    program: "go",
    file: "main.go",
    wrap: (snippet) => {
      const [, imports = "", body = ""] = /import \(([\s\S]*?)\)\n([\s\S]*)/.exec(snippet) ?? [];
      const call = `sign(${ARGUMENTS.map((n) => `os.Args[${n + 1}]`).join(", ")})`;
      return `package main\nimport (${imports}\n"fmt"\n"os"\n)\n${body}\nfunc main() { fmt.Print(${call}) }\n`;
    },
    commands: (args) => [["go", "run", "main.go", ...args]],
  },
};

export const isLanguage = (name: string): boolean => name in languages;

/** Why a language cannot be tried here. */
export function missingProgram(name: string): string | undefined {
  const program = languages[name]?.program ?? name;
  const found = spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
  return found ? undefined : program;
}

/** Runs a guide's `sign` in its own language. */
export function signWith(
  name: string,
  snippet: string,
  args: SignArguments,
  folder: string,
): string {
  const language = languages[name];
  if (language === undefined) throw new Error(`Nobody knows how to run ${name}.`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, language.file), language.wrap(snippet));
  let output = "";
  for (const [command, ...rest] of language.commands([...args])) {
    const { status, stdout, stderr, error } = spawnSync(command, rest, {
      cwd: folder,
      encoding: "utf8",
      timeout: 120_000,
      env: { ...process.env, GOCACHE: join(folder, "cache"), GO111MODULE: "off" },
    });
    if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
    output = stdout;
  }
  return output;
}
