import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["server/{src,test,bench}/**/*.test.ts"],
    globalSetup: ["server/test/harness/database.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
