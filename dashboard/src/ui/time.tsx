const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const brief = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
/** The same of another year, which has to be told then. */
const ofOtherYear = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const formats = { full, brief, day };

type Form = keyof typeof formats;

export function formatTime(date: Date, as: Form, now: Date): string {
  const isOther = as === "brief" && date.getFullYear() !== now.getFullYear();
  return (isOther ? ofOtherYear : formats[as]).format(date);
}

interface TimeProps {
  at: string;
  as?: Form;
}

/** In the reader's zone; the exact moment in UTC on hover. */
export function Time({ at, as = "brief" }: TimeProps) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>–</span>;
  return (
    <time dateTime={at} title={`${date.toISOString()} (UTC)`} className="figures">
      {formatTime(date, as, new Date())}
    </time>
  );
}
