/**
 * The benchmark's processes share the machine with what they measure: to collect their garbage, 100 ms of a core,
 * would be a request's slowest moment. So they collect between measurements, where Node was started for that
 * (`--expose-gc`), and V8 does not look for more on its own eight seconds later (`--no-memory-reducer`).
 */
export function collectGarbage(): void {
  globalThis.gc?.();
}
