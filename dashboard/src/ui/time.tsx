const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const brief = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const formats = { full, brief, day };

interface TimeProps {
  at: string;
  as?: keyof typeof formats;
}

/** In the reader's zone; the exact moment in UTC on hover. */
export function Time({ at, as = "brief" }: TimeProps) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>–</span>;
  return (
    <time dateTime={at} title={`${date.toISOString()} (UTC)`} className="figures">
      {formats[as].format(date)}
    </time>
  );
}
