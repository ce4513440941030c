/** What fingers run along: the alphabet, digits, and keyboards by rows and by columns. */
const ROWS = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890123456789",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "qwertzuiop",
  "azertyuiop",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  "qazwsxedcrfvtgbyhnujmikolp",
  "1qazxsw23edcvfr45tgbnhy67ujm",
  "qazxswedcvfrtgbnhyujm",
  "qwaszxerdfcvtyghbnuijkm",
].flatMap((row) => [row, [...row].reverse().join("")]);

const KEYBOARD = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** Which keys touch which; each row of keys lies half a key further to the right than the one above. */
const neighbours = new Map(
  KEYBOARD.flatMap((row, y) =>
    [...row].map((key, x): [string, string] => {
      const [above = "", below = ""] = [KEYBOARD[y - 1], KEYBOARD[y + 1]];
      const beside = [row[x - 1], row[x + 1], above[x], above[x + 1], below[x - 1], below[x]];
      return [key, beside.join("")];
    }),
  ),
);

const MIN_ROW = 4;
/** For each of two rows whose keys alternate. */
const MIN_TURNS = 3;
/** Words have three or four such letters now and then, hardly ever six. */
const MIN_WALK = 6;
const MIN_SAME = 3;

/** A text with every sequence in it reduced to a space. */
export function withoutSequences(text: string): string {
  let rest = "";
  for (let at = 0; at < text.length; ) {
    const length = sequenceAt(text, at);
    rest += length === 0 ? text[at] : " ";
    at += Math.max(length, 1);
  }
  return rest;
}

const sequenceAt = (text: string, at: number): number =>
  Math.max(...KINDS.map(({ min, fits }) => longest(text, at, min, fits)));

type Fits = (piece: string) => boolean;

const isSame: Fits = (piece) => piece === (piece[0] ?? "").repeat(piece.length);
const isRow: Fits = (piece) => ROWS.some((row) => row.includes(piece));

/** Two sequences, or two repeated keys, that alternate: 1q2w3e, aabbcc. */
const takesTurns: Fits = (piece) =>
  [0, 1].every((first) => {
    const turn = [...piece].filter((_, index) => index % 2 === first).join("");
    return isSame(turn) || isRow(turn);
  });

const isWalk: Fits = (piece) =>
  [...piece].every((key, index) => {
    const before = piece[index - 1];
    return before === undefined || neighbours.get(before)?.includes(key) === true;
  });

const KINDS: readonly { min: number; fits: Fits }[] = [
  { min: MIN_SAME, fits: isSame },
  { min: MIN_ROW, fits: isRow },
  { min: 2 * MIN_TURNS, fits: takesTurns },
  { min: MIN_WALK, fits: isWalk },
];

/** How far a sequence goes; 0 when it is shorter than it must be. Its beginnings are sequences too. */
function longest(text: string, at: number, min: number, fits: Fits): number {
  let length = min;
  while (at + length <= text.length && fits(text.slice(at, at + length))) length += 1;
  return length === min ? 0 : length - 1;
}
