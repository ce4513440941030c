import classes from "./status.module.css";

export type Tone = "positive" | "negative" | "warning" | "info" | "neutral";

const TONES: Record<string, Tone> = {
  Active: "positive",
  Frozen: "info",
  Terminated: "neutral",
  Approved: "positive",
  Rejected: "negative",
  Pending: "warning",
  Initiated: "info",
  Authorization: "info",
  Settlement: "positive",
  Reversal: "neutral",
  Refund: "warning",
  Declined: "negative",
  Expired: "neutral",
  Completed: "positive",
  Collected: "positive",
  Delivered: "positive",
  Failed: "negative",
  Enabled: "positive",
  Disabled: "neutral",
  TerminalSuccess: "positive",
  TerminalFailure: "negative",
  Indeterminate: "warning",
};

const WORDS: Record<string, string> = {
  Authorization: "Authorized",
  Settlement: "Settled",
  Reversal: "Reversed",
  Refund: "Refunded",
  TerminalSuccess: "Success",
  TerminalFailure: "Failure",
};

/** A state in words; its colour only helps the eye. */
export function Status({ value, tone }: { value: string; tone?: Tone }) {
  const name = tone ?? TONES[value] ?? "neutral";
  return <span className={`${classes.badge} ${classes[name]}`}>{WORDS[value] ?? value}</span>;
}
