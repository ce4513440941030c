/** The cells of one line of CSV (RFC 4180); nothing where its quotes do not end. */
export function cellsOf(line: string): string[] | undefined {
  const cells: string[] = [];
  let position = 0;
  for (;;) {
    const cell = line[position] === '"' ? quotedCell(line, position) : plainCell(line, position);
    if (cell === undefined) return undefined;
    cells.push(cell.value);
    if (cell.end === line.length) return cells;
    position = cell.end + 1;
  }
}

interface Cell {
  value: string;
  end: number;
}

function plainCell(line: string, start: number): Cell {
  const comma = line.indexOf(",", start);
  const end = comma < 0 ? line.length : comma;
  return { value: line.slice(start, end), end };
}

function quotedCell(line: string, start: number): Cell | undefined {
  const [whole, inside = ""] = /^"((?:[^"]|"")*)"(?=,|$)/.exec(line.slice(start)) ?? [];
  if (whole === undefined) return undefined;
  return { value: inside.replaceAll('""', '"'), end: start + whole.length };
}
