/**
 * Days as the reader means them, the last one included, as moments for the service: it takes `to` as the first moment
 * that does not belong any more. Where the clocks are changed a day is not 24 hours long, and may not begin at 0:00.
 */
export function momentsOf(from?: string, to?: string): { from?: string; to?: string } {
  const start = beginningOf(from, 0);
  const end = beginningOf(to, 1);
  return { ...(start && { from: start }), ...(end && { to: end }) };
}

function beginningOf(day: string | undefined, daysLater: number): string | undefined {
  const date = new Date(`${day}T00:00:00.000`);
  if (Number.isNaN(date.getTime())) return undefined;
  date.setDate(date.getDate() + daysLater);
  // From 23:00 or 1:00, where midnight is skipped.
  date.setHours(0, 0, 0, 0);
  // The end of the last year that has four digits bounds nothing.
  return date.getUTCFullYear() > 9999 ? undefined : date.toISOString();
}
