import type { Config } from "../foundation/config/table.ts";

/** Public addresses, as clients sign and call them. Known once the listeners are up. */
export interface Addresses {
  api: string;
  identity: string;
  dashboard: string;
  /** Where the card network's messages go, as host and port; unset where nobody may send any. */
  network?: string;
}

export type ListenerName = "api" | "identity" | "dashboard";

/** Where the listener of this name is to be reached, whichever process has it. */
export function publicAddress(config: Config, name: ListenerName, port: number): string {
  const scheme = config.tlsCertFile === undefined ? "http" : "https";
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  return config[`${name}Url`] ?? `${scheme}://${host}:${port}`;
}

/** As libraries write an address: its host in lower case, and without the port that its scheme has anyway. */
export function standardForm(address: string): string {
  const { origin, pathname } = new URL(address);
  return (origin + pathname).replace(/\/+$/, "");
}

/** Where the API lies under its address. */
export const API_PREFIX = "/api/v1";
