import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { projectRoot } from "../../server/test/harness/process.ts";

const run = promisify(execFile);

test("the package holds all that the command needs, wherever it is installed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "florin-installed-"));
  try {
    const options = { cwd: projectRoot };
    await run("npm", ["pack", "-w", "cli", "--pack-destination", folder, "--silent"], options);
    const [packed = ""] = readdirSync(folder);
    await run("tar", ["-xzf", packed], { cwd: folder });
    const command = join(folder, "package", "bin", "florin.js");
    const licence = readFileSync(join(folder, "package", "LICENSE"), "utf8");
    expect(licence).toBe(readFileSync(join(projectRoot, "LICENSE"), "utf8"));
    expect(readFileSync(join(folder, "package", "README.md"), "utf8")).toContain("florin whoami");
    const { stdout } = await run(command, ["simulate", "scenario"], { cwd: folder });
    expect(stdout).toContain("corporate-in-euros");
    const version = await run(command, ["--version"], { cwd: folder });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
