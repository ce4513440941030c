import type { Yardstick } from "../figure.ts";
import { driveLoad } from "../load/drive.ts";

/** The least that any route in this framework costs: no checks, no database, the same bytes. */
export const bareFastify: Yardstick = {
  name: "bare-fastify",
  title: "bare Fastify route",
  unit: "/s",
  measure: async (bench) => {
    const { client } = await bench.service();
    const { origin, pid } = await bench.bareRoute();
    const request = await client.prepare({ method: "GET", path: "/wallets" });
    return driveLoad(bench, { ...request, origin }, { serviceCpuUs: pid });
  },
};
