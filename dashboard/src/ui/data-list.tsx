import { Link } from "@tanstack/react-router";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import classes from "./data-list.module.css";
import { plural } from "./numbers.ts";
import { FailureAlert, Loading } from "./states.tsx";

const ROW_HEIGHT_PX = 49;
const FETCH_AHEAD_ROWS = 40;

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: "right";
  width?: string;
  /** Narrower screens do without this column. */
  from?: "Xs" | "Sm" | "Md" | "Lg";
}

interface Source<Row> {
  data: { pages: { data: Row[] }[] } | undefined;
  error: Error | null;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

interface DataListProps<Row> {
  label: string;
  /** What one row is, for counting. */
  noun: string;
  source: Source<Row>;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  linkTo?: (row: Row) => string;
  empty: ReactNode;
  isBare?: boolean;
}

/** A table of any length: only the rows in sight exist, and pages are fetched while it is scrolled. */
export function DataList<Row>(props: DataListProps<Row>) {
  const { source, empty, isBare = false } = props;
  const rows = source.data?.pages.flatMap((page) => page.data);
  if (rows === undefined) {
    return source.error === null ? (
      <div className={frame(isBare)}>
        <Loading rows={8} />
      </div>
    ) : (
      <FailureAlert error={source.error} onRetry={() => void source.refetch()} />
    );
  }
  if (rows.length === 0) return <div className={frame(isBare)}>{empty}</div>;
  return <Rows {...props} rows={rows} isBare={isBare} />;
}

const frame = (isBare: boolean): string => `${classes.frame} ${isBare ? classes.bare : ""}`;

function Rows<Row>({ rows, ...props }: DataListProps<Row> & { rows: Row[]; isBare: boolean }) {
  const { source, columns, noun } = props;
  const table = useRef<HTMLTableElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const top = table.current?.getBoundingClientRect().top ?? 0;
    setScrollMargin(top + window.scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 12,
    scrollMargin,
  });
  const items = virtualizer.getVirtualItems();
  const lastIndex = items.at(-1)?.index ?? 0;
  const wantsMore =
    lastIndex >= rows.length - FETCH_AHEAD_ROWS && source.hasNextPage && !source.isFetchingNextPage;
  const { fetchNextPage } = source;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);
  return (
    <div className={frame(props.isBare)}>
      <table
        ref={table}
        className={classes.table}
        aria-label={props.label}
        aria-rowcount={rows.length + 1}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={cellClass(column)}
                style={width(column)}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={before} />
          {items.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <Line
                key={props.rowKey(row)}
                {...props}
                row={row}
                index={index}
                isLast={index === rows.length - 1}
              />
            );
          })}
          <Spacer height={after} />
        </tbody>
      </table>
      {(rows.length > 20 || source.hasNextPage) && (
        <div className={classes.foot}>
          {source.isFetchingNextPage
            ? "Loading more …"
            : source.hasNextPage
              ? `${plural(rows.length, noun)} so far; scroll for more`
              : plural(rows.length, noun)}
        </div>
      )}
    </div>
  );
}

interface LineProps<Row> extends Pick<DataListProps<Row>, "columns" | "linkTo"> {
  row: Row;
  index: number;
  isLast: boolean;
}

function Line<Row>({ row, index, columns, linkTo, isLast }: LineProps<Row>) {
  const to = linkTo?.(row);
  return (
    <tr
      aria-rowindex={index + 2}
      className={`${to === undefined ? "" : classes.row} ${isLast ? classes.last : ""}`}
    >
      {columns.map((column, position) => (
        <td key={column.header} className={cellClass(column)}>
          {position === 0 && to !== undefined ? (
            <Link to={to} className={classes.link ?? ""}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
    </tr>
  );
}

/** One cell only: more would bring back the columns that narrow screens do without. */
function Spacer({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr className={classes.spacer} aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}

function cellClass<Row>({ align, from }: Column<Row>): string {
  const names = [align === "right" && classes.right, from !== undefined && classes[`from${from}`]];
  return names.filter(Boolean).join(" ");
}

const width = <Row,>(column: Column<Row>) =>
  column.width === undefined ? {} : { width: column.width };
