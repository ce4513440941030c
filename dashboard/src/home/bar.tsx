import { Text } from "@mantine/core";
import classes from "./bar.module.css";

interface BarProps {
  label: string;
  value: string;
  /** Of the whole length, at most 1. */
  share: number;
  isBad: boolean;
}

/** A figure, and its size for the eye. */
export function Bar({ label, value, share, isBad }: BarProps) {
  return (
    <>
      <div className={classes.line}>
        <Text size="sm">{label}</Text>
        <Text size="sm" fw={600} className="figures">
          {value}
        </Text>
      </div>
      <div className={classes.scale} aria-hidden>
        <div
          className={`${classes.bar} ${isBad ? classes.bad : ""}`}
          style={{ width: `${100 * Math.min(1, share)}%` }}
        />
      </div>
    </>
  );
}
