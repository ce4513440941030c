import type { Bench } from "../bench.ts";
import type { Figure } from "../figure.ts";
import { launch, startCommand } from "../service.ts";

const { title } = startCommand();

export const firstStart: Figure = {
  name: "first-start",
  title: `first start, new data directory (${title})`,
  unit: "s",
  target: { bound: "at most", value: 15 },
  measure: async (bench) => {
    const dataDir = await bench.dataDir();
    return { value: await startAndStop(bench, dataDir.path).finally(dataDir.remove) };
  },
};

export const startUp: Figure = {
  name: "start-up",
  title: `start-up, existing data directory (${title})`,
  unit: "s",
  target: { bound: "at most", value: 3 },
  measure: async (bench) => {
    const dataDir = await bench.dataDir();
    try {
      await startAndStop(bench, dataDir.path);
      return { value: await startAndStop(bench, dataDir.path) };
    } finally {
      await dataDir.remove();
    }
  },
};

/** Seconds from the command to the first answer that says "ready". */
async function startAndStop(bench: Bench, dataDir: string): Promise<number> {
  const service = await launch(startCommand(), dataDir, bench.cleanup);
  await service.stop();
  return service.readyAfterSeconds;
}
