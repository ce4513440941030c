const format = new Intl.DateTimeFormat(undefined, {
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});

/** Days are counted in UTC, as limits are. */
export const dayName = (date: string): string => format.format(new Date(`${date}T00:00:00Z`));
