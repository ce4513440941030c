const MIB = 1024 * 1024;
const SMALLEST_MIB = 128;
const LARGEST_MIB = 2_048;
/** Less than the usual quarter: the service itself and its programs live on the same machine. */
const SHARE = 1 / 8;

/**
 * The embedded server's shared_buffers. With a million cards, the pages that purchases touch do not fit into a
 * small cache, and each miss costs more than the purchase.
 */
export function sharedBuffers(memoryBytes: number): string {
  const mib = Math.floor((memoryBytes * SHARE) / MIB);
  return `${Math.min(Math.max(mib, SMALLEST_MIB), LARGEST_MIB)}MB`;
}
