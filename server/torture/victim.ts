import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  florin,
  launch,
  newDataDir,
  quietEnvironment,
  type ServiceProcess,
  startServiceProcess,
} from "../test/harness/process.ts";
import type { Random } from "./random.ts";

export const ACCIDENTS = [
  "service",
  "service",
  "service",
  "service and database",
  "database",
] as const;
export type Accident = (typeof ACCIDENTS)[number];

/** A service that is killed again and again, and whose data stays. */
export class Victim {
  readonly #dataDir = newDataDir();
  readonly #environment = quietEnvironment(this.#dataDir);
  #service: ServiceProcess | undefined;

  async start(): Promise<ServiceProcess> {
    this.#service = await startServiceProcess(this.#environment);
    return this.#service;
  }

  /** Ends it as a power cut would, and waits until it is gone. */
  async kill(accident: Accident, random: Random): Promise<void> {
    const service = this.#service;
    if (service === undefined) return;
    if (accident !== "service") this.#killDatabase();
    // Without its database the service lives on for a moment.
    if (accident === "database") await pause(random.between(0, 500));
    service.kill("SIGKILL");
    await service.exited;
  }

  /** Kills it while it starts, too. */
  async killAtStart(afterMs: number): Promise<void> {
    const program = launch(this.#environment);
    await pause(afterMs);
    if (!program.hasExited) program.kill("SIGKILL");
    await program.exited;
  }

  /** Undefined when the books hold, else what is wrong with them. */
  async audit(): Promise<string | undefined> {
    const { code, stdout, stderr } = await florin(["audit"], this.#environment);
    return code === 0 ? undefined : `${stdout}${stderr}`;
  }

  async stop(): Promise<void> {
    const service = this.#service;
    if (service === undefined || service.hasExited) return;
    service.kill("SIGTERM");
    await service.exited;
  }

  #killDatabase(): void {
    const pidFile = readFileSync(join(this.#dataDir, "postgres", "postmaster.pid"), "utf8");
    process.kill(Number(pidFile.split("\n")[0]), "SIGKILL");
  }
}
