const countedFaults = [
  "DuplicateDeliveries",
  "DropDeliveries",
  "ReorderDeliveries",
  "CutConnection",
  "KycDown",
  "KycSlow",
] as const;

export const faultNames = [...countedFaults, "DelayDeliveries"] as const;
export type FaultName = (typeof faultNames)[number];

/** A fault, and how many more times it strikes. */
export type Fault =
  | { fault: (typeof countedFaults)[number]; count: number }
  | { fault: "DelayDeliveries"; count: number; seconds: number };

/** What keeps faults, in this thread or another. */
export interface FaultKeeper {
  /** Asking again for the same kind replaces what is left of it; other kinds stay. */
  set(organizationId: string, fault: Fault): void | Promise<void>;
  clear(organizationId: string): void | Promise<void>;
  /** What is still to strike, in a fixed order. */
  list(organizationId: string): Fault[] | Promise<Fault[]>;
}

/**
 * The faults that organizations have asked for. They are tools of somebody who tries something out at
 * this moment, so they live in the thread that they strike in and end with it.
 */
export class FaultBoard implements FaultKeeper {
  readonly #faults = new Map<string, Map<FaultName, Fault>>();

  set(organizationId: string, fault: Fault): void {
    const faults = this.#faults.get(organizationId) ?? new Map<FaultName, Fault>();
    faults.set(fault.fault, fault);
    this.#faults.set(organizationId, faults);
  }

  clear(organizationId: string): void {
    this.#faults.delete(organizationId);
  }

  list(organizationId: string): Fault[] {
    const faults = this.#faults.get(organizationId);
    return inOrder([...(faults?.values() ?? [])]);
  }

  /** Lets the first of these kinds that is set strike once. */
  take(organizationId: string, names: readonly FaultName[]): Fault | undefined {
    const faults = this.#faults.get(organizationId);
    const fault = names.map((name) => faults?.get(name)).find((found) => found !== undefined);
    if (faults === undefined || fault === undefined) return undefined;
    if (fault.count > 1) faults.set(fault.fault, { ...fault, count: fault.count - 1 });
    else faults.delete(fault.fault);
    if (faults.size === 0) this.#faults.delete(organizationId);
    return fault;
  }

  /** Nearly always true, so that nothing more is looked up. */
  get isEmpty(): boolean {
    return this.#faults.size === 0;
  }
}

export function inOrder(faults: readonly Fault[]): Fault[] {
  return faultNames.flatMap((name) => faults.find(({ fault }) => fault === name) ?? []);
}
