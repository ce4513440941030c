/** A percentile by the nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export function latencyText(durationsMs: readonly number[]): string {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(durationsMs, share).toFixed(0));
  return `p50 ${p50} ms, p99 ${p99} ms, longest ${max} ms`;
}
