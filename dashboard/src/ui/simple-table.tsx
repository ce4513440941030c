import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./simple-table.module.css";

interface SimpleTableProps {
  label: string;
  head: string[];
  rows: { key: string; cells: ReactNode[] }[];
}

/**
 * A short table that may be wider than its place: it scrolls within itself. Where that is narrow, as on a phone,
 * each row becomes a block, with the column's title before each value.
 */
export function SimpleTable({ label, head, rows }: SimpleTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it.
    <div className={classes.scroll} tabIndex={0}>
      <Table
        verticalSpacing="sm"
        horizontalSpacing="lg"
        aria-label={label}
        className={classes.table}
      >
        <Table.Thead>
          <Table.Tr>
            {head.map((title, index) => (
              <Table.Th key={title === "" ? `column ${index}` : title} fz="xs" fw={500} c="dimmed">
                {title === "" ? <span className="visually-hidden">Actions</span> : title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, index) => (
                <Table.Td key={head[index] ?? index} data-title={head[index]}>
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
