// Runs everything that must hold before a change lands, and says how each step ended.
import { spawnSync } from "node:child_process";

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
  ["tests", "npx", ["--no-install", "vitest", "run"]],
];

const wanted = process.argv.includes("--without-tests") ? steps.slice(0, -1) : steps;
const failed = [];
for (const [name, command, args] of wanted) {
  console.log(`\n== ${name}`);
  const started = Date.now();
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  console.log(
    `== ${name}: ${status === 0 ? "ok" : "FAILED"} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
  if (status !== 0) failed.push(name);
}
console.log(failed.length === 0 ? "\nAll checks passed." : `\nFailed: ${failed.join(", ")}`);
process.exit(failed.length === 0 ? 0 : 1);
