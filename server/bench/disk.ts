import { mkdtemp, open, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TMPFS = 0x01021994;
const BLOCK = Buffer.alloc(8_192);
const WRITES = 101;

/** Many systems keep /tmp in memory, where durability costs nothing and measures nothing. */
export async function diskDirectory(): Promise<string> {
  const usual = tmpdir();
  const { type } = await statfs(usual);
  return type === TMPFS && process.platform === "linux" ? "/var/tmp" : usual;
}

/**
 * How long the disk takes to keep what was written, as each commit asks it to. The yardstick waits for it more often
 * than the service does, so ratios depend on it.
 */
export async function measureSyncUs(): Promise<number> {
  const directory = await mkdtemp(join(await diskDirectory(), "florin-disk-"));
  const file = await open(join(directory, "blocks"), "w");
  try {
    // As PostgreSQL does with its log: written over, not made longer.
    await file.write(Buffer.alloc(BLOCK.length * WRITES));
    await file.datasync();
    const tookMs: number[] = [];
    for (let n = 0; n < WRITES; n++) {
      await file.write(BLOCK, 0, BLOCK.length, n * BLOCK.length);
      const startMs = performance.now();
      await file.datasync();
      tookMs.push(performance.now() - startMs);
    }
    tookMs.sort((a, b) => a - b);
    return Math.round((tookMs[Math.floor(WRITES / 2)] ?? 0) * 1_000);
  } finally {
    await file.close();
    await rm(directory, { recursive: true, force: true });
  }
}
