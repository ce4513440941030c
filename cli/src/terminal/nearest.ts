/** The word that was probably meant; undefined if none is near what was typed. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const ranked = words.map((word) => ({ word, distance: distanceOf(typed, word) }));
  const [best] = ranked.sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= typed.length / 3 ? best.word : undefined;
}

/** How many letters have to be put in, taken out or replaced to make one of the other. */
function distanceOf(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const here = [row + 1];
    for (const [column, wanted] of [...other].entries()) {
      const replaced = (above[column] ?? 0) + (letter === wanted ? 0 : 1);
      const shifted = Math.min(above[column + 1] ?? 0, here[column] ?? 0) + 1;
      here.push(Math.min(replaced, shifted));
    }
    above = here;
  }
  return above.at(-1) ?? 0;
}
