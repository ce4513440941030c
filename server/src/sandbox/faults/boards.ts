import { type Fault, type FaultBoard, inOrder, type KeepsFaults } from "./board.ts";
import { isDeliveryFault } from "./deliveries.ts";

/** The faults of a process: those of deliveries are kept by whoever makes these, all others here. */
export class FaultBoards implements KeepsFaults {
  /** What strikes in this thread. */
  readonly here: FaultBoard;
  readonly #ofDeliveries: () => KeepsFaults | undefined;

  /** @param ofDeliveries nobody, where another process makes them: those that are set here never strike. */
  constructor(here: FaultBoard, ofDeliveries: () => KeepsFaults | undefined) {
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
    return inOrder([...this.here.list(organizationId), ...there]);
  }
}
