/** Puts a button beside fields level with them, whatever stands below one of them. */
export const BELOW_LABEL = 23;
