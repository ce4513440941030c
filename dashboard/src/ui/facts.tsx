import type { ReactNode } from "react";
import classes from "./facts.module.css";

type Fact = [term: string, value: ReactNode] | false;

interface FactsProps {
  facts: Fact[];
  /** Amounts and the like need little room, sentences much. */
  length?: "short" | "long";
}

/** Names and values. A value that is undefined is left out. */
export function Facts({ facts, length }: FactsProps) {
  return (
    <dl className={`${classes.list} ${length === undefined ? "" : classes[length]}`}>
      {facts.map((fact) =>
        fact === false || fact[1] === undefined ? null : (
          <div key={fact[0]}>
            <dt className={classes.term}>{fact[0]}</dt>
            <dd className={classes.fact}>{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
