/**
 * The first of what is wrong, all of it found first: with a limit alone the planner expects one soon, takes what begins
 * quickly, and looks through all accounts anew for each card where nothing is wrong.
 */
export const firstOf = (wrong: string): string =>
  `with wrong as materialized (${wrong}) select problem from wrong order by card_id limit 1`;
