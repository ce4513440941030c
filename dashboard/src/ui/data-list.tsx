import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Place } from "../api/pages.ts";
import { refreshIfLong, showRow } from "../api/queries.ts";
import classes from "./data-list.module.css";
import { plural } from "./numbers.ts";
import { PlainLink } from "./plain-link.tsx";
import { FailureAlert, Loading } from "./states.tsx";

const ROW_HEIGHT_PX = 49;
const FETCH_AHEAD_ROWS = 40;
const LOOK_AGAIN_MS = 80;
/** A service that fails is not asked again at once. */
const AFTER_FAILURE_MS = 2_000;

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: "right";
  width?: string;
  /** Narrower screens do without this column. */
  from?: "Xs" | "Sm" | "Md" | "Lg";
}

interface Source<Row> {
  data: { pages: { data: Row[] }[]; pageParams: Place[] } | undefined;
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
  /** For rows that have no page of their own. Must be the same function at every drawing. */
  onOpen?: (row: Row) => void;
  empty: ReactNode;
  isBare?: boolean;
}

/**
 * A table of any length: only the rows in sight are drawn, pages are fetched while it is scrolled, and
 * those far away are let go.
 */
export function DataList<Row>(props: DataListProps<Row>) {
  const { source, empty, isBare = false } = props;
  const { data } = source;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data), [data]);
  if (rows === undefined) {
    return source.error === null ? (
      <div className={frame(isBare)}>
        <Loading rows={8} />
      </div>
    ) : (
      <FailureAlert error={source.error} onRetry={() => void source.refetch()} />
    );
  }
  // A service that looks through much may answer with nothing yet, and more to come.
  if (rows.length === 0 && !source.hasNextPage) return <div className={frame(isBare)}>{empty}</div>;
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
  const firstRow = source.data?.pageParams[0]?.firstRow ?? 0;
  const count = firstRow + rows.length;
  const virtualizer = useWindowVirtualizer({
    count,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 8,
    scrollMargin,
  });
  const items = virtualizer.getVirtualItems();
  useMoreBelow(source, (items.at(-1)?.index ?? 0) >= count - FETCH_AHEAD_ROWS);
  useMoreAbove(source, items[0]?.index ?? 0);
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin);
  return (
    <div className={frame(props.isBare)}>
      <table
        ref={table}
        className={classes.table}
        aria-label={props.label}
        aria-rowcount={count + 1}
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
            const row = rows[index - firstRow];
            if (row === undefined) return <Spacer key={index} height={ROW_HEIGHT_PX} />;
            return (
              <Line
                key={props.rowKey(row)}
                columns={columns}
                row={row}
                index={index}
                to={props.linkTo?.(row)}
                onOpen={props.onOpen}
                isLast={index === count - 1}
              />
            );
          })}
          <Spacer height={after} />
        </tbody>
      </table>
      {(count > 20 || source.hasNextPage) && (
        <div className={classes.foot}>
          {source.isFetchingNextPage
            ? "Loading more …"
            : source.hasNextPage
              ? `${plural(count, noun)} so far; scroll for more`
              : plural(count, noun)}
        </div>
      )}
    </div>
  );
}

function useMoreBelow<Row>(source: Source<Row>, isNearEnd: boolean): void {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = source;
  const wantsMore = isNearEnd && hasNextPage && !isFetchingNextPage;
  const hasFailed = source.error !== null;
  // Also whenever there is new data: a list that is asked for anew cuts the question for more off.
  useEffect(() => {
    if (!wantsMore || data === undefined) return;
    const timer = setTimeout(() => void fetchNextPage(), hasFailed ? AFTER_FAILURE_MS : 0);
    return () => clearTimeout(timer);
  }, [wantsMore, data, hasFailed, fetchNextPage]);
}

/** Looks after a moment, when somebody who comes back to a list has been scrolled to their old place. */
function useMoreAbove<Row>(source: Source<Row>, topRow: number): void {
  const first = source.data?.pageParams[0];
  const list = first?.list;
  useEffect(() => {
    if (list !== undefined) void refreshIfLong(list);
  }, [list]);
  const sight = useRef({ first, topRow });
  sight.current = { first, topRow };
  const wantsMore = isMissingAbove(first, topRow);
  useEffect(() => {
    if (!wantsMore) return;
    let isAsking = false;
    const look = async () => {
      const now = sight.current;
      if (isAsking || !isMissingAbove(now.first, now.topRow)) return;
      isAsking = true;
      // What could not be fetched is asked for at a later look.
      await showRow(now.topRow, now.first).catch(() => pause(AFTER_FAILURE_MS));
      isAsking = false;
    };
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [wantsMore]);
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));

const isMissingAbove = (first: Place | undefined, topRow: number): first is Place =>
  first !== undefined && first.firstRow > 0 && topRow < first.firstRow + FETCH_AHEAD_ROWS;

interface LineProps<Row> extends Pick<DataListProps<Row>, "columns"> {
  row: Row;
  index: number;
  to: string | undefined;
  onOpen: ((row: Row) => void) | undefined;
  isLast: boolean;
}

/** A row that stays in sight is not drawn again while the list moves. */
const Line = memo(function Line<Row>(props: LineProps<Row>) {
  const { row, index, columns, to, onOpen, isLast } = props;
  const leads = to !== undefined || onOpen !== undefined;
  return (
    <tr
      aria-rowindex={index + 2}
      className={`${leads ? classes.row : ""} ${isLast ? classes.last : ""}`}
    >
      {columns.map((column, position) => (
        <td key={column.header} className={cellClass(column)}>
          {position === 0 && leads ? <Lead {...props} column={column} /> : column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: LineProps<Row>) => ReactNode;

/** The first cell is what opens the row. */
function Lead<Row>({ row, to, onOpen, column }: LineProps<Row> & { column: Column<Row> }) {
  if (to !== undefined) {
    return (
      <PlainLink to={to} className={classes.link}>
        {column.cell(row)}
      </PlainLink>
    );
  }
  return (
    <button
      type="button"
      className={`${classes.link} ${classes.button}`}
      aria-haspopup="dialog"
      onClick={() => onOpen?.(row)}
    >
      {column.cell(row)}
    </button>
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
