/** Public addresses, as clients sign and call them. Known once the listeners are up. */
export interface Addresses {
  api: string;
  identity: string;
  dashboard: string;
  /** Where the card network's messages go, as host and port; unset where nobody may send any. */
  network?: string;
}

/** As libraries write an address: its host in lower case, and without the port that its scheme has anyway. */
export function standardForm(address: string): string {
  const { origin, pathname } = new URL(address);
  return (origin + pathname).replace(/\/+$/, "");
}

/** Where the API lies under its address. */
export const API_PREFIX = "/api/v1";
