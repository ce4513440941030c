const MIB = 1024 * 1024;
const SMALLEST_MIB = 128;
const LARGEST_MIB = 2_048;
/** Less than the usual quarter: the service itself and its programs live on the same machine. */
const SHARE = 1 / 8;

/**
 * What the embedded server keeps of its tables in memory of its own. With a million cards the pages that
 * a purchase touches no longer fit into little, and each one that is missed costs more than the purchase.
 */
export function sharedBuffers(memoryBytes: number): string {
  const mib = Math.floor((memoryBytes * SHARE) / MIB);
  return `${Math.min(Math.max(mib, SMALLEST_MIB), LARGEST_MIB)}MB`;
}
