import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";
import { SecondChances } from "./server/test/harness/second-chances.ts";

// Workspaces are tested from their sources: what is built may be older. Packages come as Node itself
// would take them, which knows no "module".
const conditions = [
  "florin-source",
  ...defaultServerConditions.filter((name) => name !== "module"),
];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      "server/{src,test,bench}/**/*.test.ts",
      "sdk/{src,test}/**/*.test.ts",
      "cli/{src,test}/**/*.test.ts",
      "dashboard/{src,test,bench}/**/*.test.ts",
    ],
    globalSetup: ["server/test/harness/database.ts"],
    // Only what never comes is waited for so long: a slow machine is no reason to fail.
    expect: { poll: { timeout: 15_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Where nobody looks on, what fails once is tried once more; the report tells why, and it deserves a look.
    retry: process.env.CI === undefined ? 0 : 1,
    reporters: ["default", new SecondChances()],
    pool: "forks",
    // Tests wait for services and databases more than they compute, also where there are but two cores.
    maxWorkers: 3,
  },
});
