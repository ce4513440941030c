/** Public addresses, as clients sign and call them. Known once the listeners are up. */
export interface Addresses {
  api: string;
  identity: string;
  dashboard: string;
  /** Where the card network's messages go, as host and port; unset where nobody may send any. */
  network?: string;
}

/** Where the API lies under its address. */
export const API_PREFIX = "/api/v1";
