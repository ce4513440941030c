#!/usr/bin/env node
// npm links a package's commands when it installs it, and in a checkout nothing is built by then.
import { existsSync } from "node:fs";

const program = new URL("../dist/florin.js", import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write("florin is not built yet: `npm run florin -- --help` builds it.\n");
  process.exitCode = 1;
}
