import { totalmem } from "node:os";
import { sharedBuffers } from "./buffers.ts";

/**
 * Settings of the embedded server, given on its command line so that a new Florin can change them.
 * Nothing here trades durability away: fsync, full_page_writes and synchronous_commit stay on.
 * wal_compression stays off, because these binaries bring only pglz, which costs more than it saves.
 */
const SETTINGS: Record<string, string> = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  cluster_name: "florin",
  timezone: "UTC",
  log_timezone: "UTC",
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  wal_level: "replica",
  max_connections: "100",
  // Small transactions in great number: keep the hot tables in memory and checkpoints rare.
  shared_buffers: sharedBuffers(memoryBytes()),
  max_wal_size: "4GB",
  min_wal_size: "256MB",
  checkpoint_timeout: "15min",
  random_page_cost: "1.1",
  log_min_messages: "warning",
  // Details and statements may quote rows, and what cardholders own does not belong in a log.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

export function settingArguments(
  socketDirectory: string,
  port: number,
  overrides: Record<string, string>,
): string[] {
  const address = {
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
    port: String(port),
  };
  const settings = { ...SETTINGS, ...overrides, ...address };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Of the machine, or of the container if that has less. */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
