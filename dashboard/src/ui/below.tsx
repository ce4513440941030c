import type { ReactNode } from "react";
import classes from "./below.module.css";

type Width = "xs" | "sm" | "md" | "lg";

interface BelowProps {
  /** Wider screens do without it: they have a column for it. */
  until?: Width;
  /** Narrower screens do without it. */
  from?: Width;
  title?: string;
  children: ReactNode;
}

/** A second line of a list's cell, in small letters. Plain elements: a list has dozens of them. */
export function Below({ until, from, title, children }: BelowProps) {
  const names = [
    classes.below,
    until !== undefined && `mantine-hidden-from-${until}`,
    from !== undefined && `mantine-visible-from-${from}`,
  ];
  return (
    <span className={names.filter(Boolean).join(" ")} title={title}>
      {children}
    </span>
  );
}
