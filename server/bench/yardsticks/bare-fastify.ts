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
    const orders = await client.prepare([{ method: "GET", path: "/wallets" }]);
    const aimed = orders.map((order) => ({ ...order, origin }));
    return driveLoad(bench, aimed, { serviceCpuUs: pid });
  },
};
