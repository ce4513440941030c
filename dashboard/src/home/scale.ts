const STEPS = [1, 2, 3, 4, 5, 6, 8, 10];
const PARTS = 4;

/** The smallest top of a scale in round steps that reaches the largest value; steps are whole, for counts. */
export function niceTop(largest: number): number {
  if (largest <= PARTS) return PARTS;
  const power = 10 ** Math.floor(Math.log10(largest / PARTS));
  const step = STEPS.find((candidate) => candidate * power * PARTS >= largest) ?? 10;
  return step * power * PARTS;
}

export const ticksOf = (top: number): number[] =>
  Array.from({ length: PARTS + 1 }, (_, part) => (top * part) / PARTS);
