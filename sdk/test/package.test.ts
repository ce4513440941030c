import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { programs } from "./harness/programs.ts";

const sdk = fileURLToPath(new URL("..", import.meta.url));
const tsc = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin/tsc",
);

let home: string;
/** The package as somebody has installed it. */
let installed: string;
let packed: string[];
let archive: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "florin-sdk-"));
  const source = join(home, "source");
  mkdirSync(source);
  for (const name of ["package.json", "README.md", "LICENSE", "src"])
    cpSync(join(sdk, name), join(source, name), { recursive: true });
  node([join(sdk, "scripts/build.mjs"), "--out", join(source, "dist")]);
  const told = run("npm", ["pack", "--json", "--ignore-scripts", "--offline", "--silent"], source);
  const [{ filename, files }] = JSON.parse(told);
  archive = filename;
  packed = files.map(({ path }: { path: string }) => path);
  installed = join(home, "consumer/node_modules/@florin/sdk");
  mkdirSync(installed, { recursive: true });
  run("tar", ["-xzf", join(source, filename), "--strip-components=1", "-C", installed]);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function run(command: string, args: string[], cwd = join(home, "consumer")): string {
  return execFileSync(command, args, { cwd, encoding: "utf8" });
}

const node = (args: string[]): string => run(process.execPath, args, home);

/** Puts a file at the consumer's and gives its path. */
function write(name: string, text: string): string {
  const path = join(home, "consumer", name);
  writeFileSync(path, text);
  return path;
}

describe("what is published", () => {
  test("is what is built, and the sources that it was built from, and no tests", () => {
    expect(packed).toEqual(
      expect.arrayContaining([
        "dist/index.js",
        "dist/index.d.ts",
        "src/index.ts",
        "LICENSE",
        "README.md",
      ]),
    );
    expect(packed.filter((path) => path.includes(".test."))).toEqual([]);
  });

  test("publint finds nothing to mend", async () => {
    const { messages } = await publint({ pkgDir: installed, strict: true, pack: false });
    // The first condition is for this repository's own programs; whoever installs the package knows it not.
    const said = messages.filter(({ code }) => code !== "EXPORTS_TYPES_SHOULD_BE_FIRST");
    expect(said).toEqual([]);
  });

  test("types are what is there, however it is resolved", async () => {
    const tarball = readFileSync(join(home, "source", archive));
    const result = await checkPackage(createPackageFromTarballData(tarball));
    const problems = result.types === false ? ["no types"] : result.problems;
    // It is ESM: require() finds it from Node 20.19 on, and the resolution of Node 10 finds no exports.
    const expected = ["CJSResolvesToESM", "NoResolution"];
    const surprising = problems.filter(
      (problem) => typeof problem === "string" || !expected.includes(problem.kind),
    );
    expect(surprising).toEqual([]);
  });

  test("has every file that its manifest names, and needs no other package", () => {
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const named = JSON.stringify(manifest.exports).match(/"\.\/[^"]+\.(?:ts|js|json)"/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    for (const path of named.map((quoted) => JSON.parse(quoted)))
      expect(existsSync(join(installed, path)), path).toBe(true);
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).toMatchObject({ type: "module", sideEffects: false, license: "Apache-2.0" });
  });

  test("imports nothing that is not in it", () => {
    const built = packed.filter((path) => /\.(js|d\.ts)$/.test(path));
    for (const path of built) {
      const text = readFileSync(join(installed, path), "utf8");
      const imported = [...text.matchAll(/^(?:import|export)[^;]*?from "([^"]+)"/gm)];
      for (const [, target = ""] of imported) {
        expect(target, path).toMatch(/^\.\.?\/.*\.js$/);
        expect(existsSync(join(installed, dirname(path), target)), `${path}: ${target}`).toBe(true);
      }
    }
  });

  test("runs when it is imported, and when it is required", () => {
    const print = "console.log(typeof Florin, typeof webhooks.verify, newReference().length <= 30)";
    const names = "{ Florin, webhooks, newReference }";
    const imported = write("run.mjs", `import ${names} from "@florin/sdk"; ${print}`);
    const required = write("run.cjs", `const ${names} = require("@florin/sdk"); ${print}`);
    expect(node([imported]).trim()).toBe("function function true");
    expect(node(["--no-warnings", required]).trim()).toBe("function function true");
  });
});

function complaintsAbout(config: string): string {
  try {
    return run(process.execPath, [tsc, "-p", config]);
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const program = `
import { Florin, RefusedError, authorizationHandler, verifyWebhook, type Card } from "@florin/sdk";
const url = "http://127.0.0.1";
const florin = new Florin({ apiUrl: url, identityUrl: url, clientId: "c", clientSecret: "s", uniqueKey: "k" });
export async function issue(customerId: string): Promise<Card[]> {
  try {
    const card: Card = await florin.cards.issueRetail({ customerId, initialBalance: 5, nameOnCard: undefined });
    const same = await florin.request("GET", "/cards/{cardId}", { params: { cardId: card.cardId } });
    const balance: number = same.balance;
    // @ts-expect-error A card has a status and not this one.
    if (card.status === "Melted" || balance < 0) return [];
    // @ts-expect-error A top-up has an amount.
    await florin.cards.topUp(card.cardId, {});
    // @ts-expect-error A template needs its parameters.
    await florin.request("GET", "/cards/{cardId}", {});
    const event = await verifyWebhook("{}", new Headers(), "whsec_AAAA");
    if (event.eventType === "wallet.deposited") console.log(event.data.balance.toFixed(2));
    authorizationHandler({ secret: "whsec_AAAA", decide: ({ amount }) => ({ decision: amount > 1 ? "Decline" : "Approve" }) });
    return await florin.cards.list({ status: "Active" }).toArray();
  } catch (error) {
    if (error instanceof RefusedError && error.responseCode === "116") return [];
    throw error;
  }
}
`;

describe("its types hold", () => {
  beforeAll(() => {
    write("program.mts", program);
    write("bundled.ts", program);
  });

  // Every library is checked, so that nothing is missing where DOM or Node is.
  const common = {
    target: "ES2022",
    lib: ["ES2022", "DOM"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  };
  test.each([
    ["in Node", { module: "NodeNext", moduleResolution: "NodeNext" }, "program.mts"],
    ["in a bundler", { module: "ESNext", moduleResolution: "Bundler" }, "bundled.ts"],
  ])(
    "%s",
    (_where, options, file) => {
      const compilerOptions = { ...common, ...options };
      const config = write("tsconfig.json", JSON.stringify({ compilerOptions, files: [file] }));
      expect(complaintsAbout(config)).toBe("");
    },
    120_000,
  );

  test("in the programs that the guide shows", () => {
    const files = programs.map(([, text], index) => write(`guide-${index}.mts`, text));
    const compilerOptions = {
      target: "ES2022",
      module: "NodeNext",
      types: ["node"],
      typeRoots: [join(sdk, "../node_modules/@types")],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    };
    const config = write("guide.json", JSON.stringify({ compilerOptions, files }));
    expect(complaintsAbout(config)).toBe("");
  }, 120_000);
});
