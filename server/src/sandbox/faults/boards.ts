import { type Fault, type FaultBoard, type FaultKeeper, inOrder } from "./board.ts";
import { isDeliveryFault } from "./deliveries.ts";

/** The faults of a process: those of deliveries are kept by whoever makes these, all others here. */
export class FaultBoards implements FaultKeeper {
  /** What strikes in this thread. */
  readonly here: FaultBoard;
  readonly #ofDeliveries: () => FaultKeeper | undefined;

  /** @param ofDeliveries nobody, where another process makes them: those that are set here never strike. */
  constructor(here: FaultBoard, ofDeliveries: () => FaultKeeper | undefined) {
    this.here = here;
    this.#ofDeliveries = ofDeliveries;
  }

  async set(organizationId: string, fault: Fault): Promise<void> {
    const there = isDeliveryFault(fault) ? this.#ofDeliveries() : undefined;
    await (there ?? this.here).set(organizationId, fault);
  }

  async clear(organizationId: string): Promise<void> {
    this.here.clear(organizationId);
    await this.#ofDeliveries()?.clear(organizationId);
  }

  async list(organizationId: string): Promise<Fault[]> {
    const there = (await this.#ofDeliveries()?.list(organizationId)) ?? [];
    return inOrder([...there, ...this.here.list(organizationId)]);
  }
}
