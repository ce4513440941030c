const STEPS = [1, 2, 2.5, 5, 10];

/** The smallest round number that is not below: 1, 2, 2.5, 5 or 10 times a power of ten. */
export function niceTop(largest: number): number {
  if (largest <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = STEPS.find((candidate) => candidate * power >= largest) ?? 10;
  return step * power;
}

export const ticksOf = (top: number): number[] => [0, 1, 2, 3, 4].map((part) => (top * part) / 4);
