let isLineOpen = false;

/** On the error stream, so that what is piped away is the report alone. */
export function say(line: string): void {
  write(`${isLineOpen ? "\n" : ""}${line} …\n`);
  isLineOpen = false;
}

/** Says what is being measured, and what came of it, on one line if nothing comes between. */
export async function telling<T>(
  what: string,
  work: () => Promise<T>,
  show: (result: T) => string,
): Promise<T> {
  write(`${what} … `);
  isLineOpen = true;
  const result = await work();
  write(`${isLineOpen ? "" : `${what} … `}${show(result)}\n`);
  isLineOpen = false;
  return result;
}

const write = (text: string): boolean => process.stderr.write(text);
