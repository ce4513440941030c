import { failed, isAcknowledged, type Outcome } from "../../outbound/outcome.ts";
import type { Delivery } from "../../webhooks/delivery/delivery.ts";
import type { DeliveryFaults, HeldBack } from "../../webhooks/delivery/faults.ts";
import type { Fault, FaultBoard, FaultName } from "./board.ts";

/** How long a delivery waits for another to overtake it. */
const MAX_OVERTAKING_MS = 30_000;
/** Beyond this the oldest is forgotten, and may be held back a second time. */
const MAX_HELD_BACK = 10_000;

const KINDS = [
  "DropDeliveries",
  "DelayDeliveries",
  "ReorderDeliveries",
  "DuplicateDeliveries",
] as const;

export const isDeliveryFault = ({ fault }: Fault): boolean =>
  (KINDS as readonly FaultName[]).includes(fault);

interface Waiting {
  name: string;
  letGo(): void;
}

/** What becomes of deliveries while faults are set. Each attempt meets one fault at most. */
export class FaultyDeliveries {
  readonly #board: FaultBoard;
  /** Deliveries that were held back, and pass unharmed when they return. */
  readonly #heldBack = new Set<string>();
  /** By endpoint, the delivery that the next one is to overtake. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(board: FaultBoard) {
    this.#board = board;
  }

  readonly meet: DeliveryFaults = async (delivery, attempt) => {
    if (this.#board.isEmpty && this.#heldBack.size === 0) return attempt();
    const name = nameOf(delivery);
    const waiting = this.#waiting.get(delivery.webhookEndpointId);
    if (this.#heldBack.delete(name)) {
      if (waiting?.name === name) this.#waiting.delete(delivery.webhookEndpointId);
      return attempt();
    }
    if (waiting !== undefined) {
      this.#waiting.delete(delivery.webhookEndpointId);
      return attempt().finally(waiting.letGo);
    }
    const fault = this.#board.take(delivery.organizationId, KINDS);
    if (fault === undefined) return attempt();
    if (fault.fault === "DropDeliveries") return dropped();
    if (fault.fault === "DuplicateDeliveries") return twice(attempt);
    this.#remember(name);
    return fault.fault === "DelayDeliveries"
      ? { heldBackMs: fault.seconds * 1_000 }
      : this.#waitForNext(delivery, name);
  };

  #waitForNext({ webhookEndpointId }: Delivery, name: string): HeldBack {
    const sooner = new Promise<void>((letGo) => {
      this.#waiting.set(webhookEndpointId, { name, letGo });
    });
    return { heldBackMs: MAX_OVERTAKING_MS, sooner };
  }

  #remember(name: string): void {
    const [oldest] = this.#heldBack;
    if (this.#heldBack.size >= MAX_HELD_BACK && oldest !== undefined) this.#heldBack.delete(oldest);
    this.#heldBack.add(name);
  }
}

/** As when it is lost on the way: nobody gets it, no answer comes, and it is tried again as usual. */
const dropped = (): Outcome => failed("Timeout", 0, "No answer in time: the simulator dropped it");

/** Both at the same moment, which is the harder case for whoever looks first and then acts. */
async function twice(attempt: () => Promise<Outcome>): Promise<Outcome> {
  const [one, other] = await Promise.all([attempt(), attempt()]);
  return isAcknowledged(one) ? one : other;
}

const nameOf = ({ webhookEndpointId, eventId }: Delivery): string =>
  `${webhookEndpointId} ${eventId}`;
