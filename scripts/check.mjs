// Runs everything that must hold before a change lands, and says how each step ended.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

const steps = [
  ["format and lint", "npx", ["--no-install", "biome", "check", "."]],
  ["types", "npx", ["--no-install", "tsc", "-p", "server/tsconfig.json"]],
  [
    "types of the reference page",
    "npx",
    ["--no-install", "tsc", "-p", "server/src/docs/site/browser/tsconfig.json"],
  ],
  ["types of the SDK", "npx", ["--no-install", "tsc", "-p", "sdk/tsconfig.json"]],
  [
    "types of the SDK without Node",
    "npx",
    ["--no-install", "tsc", "-p", "sdk/tsconfig.build.json", "--noEmit"],
  ],
  ["types of the command line", "npx", ["--no-install", "tsc", "-p", "cli/tsconfig.json"]],
  ["types of the dashboard", "npx", ["--no-install", "tsc", "-p", "dashboard/tsconfig.json"]],
  [
    "types of the dashboard's tests",
    "npx",
    ["--no-install", "tsc", "-p", "dashboard/test/tsconfig.json"],
  ],
  [
    "dependency rules",
    "npx",
    [
      "--no-install",
      "depcruise",
      "--config",
      ".dependency-cruiser.cjs",
      "server/src",
      "sdk/src",
      "cli/src",
      "dashboard/src",
    ],
  ],
  ["dead code", "npx", ["--no-install", "knip"]],
  ["generated files", "node", ["--enable-source-maps", "server/dist/generate.js", "--check"]],
  ["types made from the API", "node", ["sdk/scripts/generate.mjs", "--check"]],
];
const tests = ["tests", "npx", ["--no-install", "vitest", "run"]];

const isColoured = process.stdout.isTTY && process.env.NO_COLOR === undefined;
const failed = [];

/** What a step writes is shown when it has ended, so that steps can run side by side. */
async function run([name, command, args], { isAlone }) {
  if (isAlone) console.log(`\n== ${name}`);
  const started = Date.now();
  const child = spawn(command, args, {
    stdio: isAlone ? "inherit" : ["ignore", "pipe", "pipe"],
    env: isColoured ? { ...process.env, FORCE_COLOR: "1" } : process.env,
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data) => output.push(data));
  const isOk = await new Promise((resolve) => {
    child.on("error", (error) => {
      output.push(Buffer.from(`${error.message}\n`));
      resolve(false);
    });
    child.on("close", (code) => resolve(code === 0));
  });
  if (!isAlone) console.log(`\n== ${name}`);
  process.stdout.write(Buffer.concat(output));
  console.log(
    `== ${name}: ${isOk ? "ok" : "FAILED"} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
  if (!isOk) failed.push(name);
}

async function runThrough(waiting) {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    await run(step, { isAlone: false });
  }
}

const waiting = [...steps];
await Promise.all(Array.from({ length: availableParallelism() }, () => runThrough(waiting)));
if (!process.argv.includes("--without-tests")) await run(tests, { isAlone: true });
console.log(failed.length === 0 ? "\nAll checks passed." : `\nFailed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
