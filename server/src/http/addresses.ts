/** Public addresses, as clients sign and call them. Known once the listeners are up. */
export interface Addresses {
  api: string;
  identity: string;
  dashboard: string;
}
