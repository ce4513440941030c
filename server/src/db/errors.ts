import pg from "pg";

/** An error that PostgreSQL itself reported: the statement failed and the connection lives. */
export function isServerError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !isShutdown(error);
}

/** Whether an error means that the database cannot be used now, rather than that a statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return isShutdown(error) || isTransient(error);
  return error instanceof Error && (hasSystemCode(error) || CONNECTION_LOST.test(error.message));
}

/** Two transactions got in each other's way; run again, this one finds what the other did. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^40(001|P01)$/.test(error.code ?? "");
}

/** Somebody else kept a lock for longer than one would wait for it. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "55P03";
}

/** The role may not do it: a privilege is missing, or there is no schema that it may use. */
export function isDenied(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^(42501|3F000)$/.test(error.code ?? "");
}

/** The database, or this connection to it, takes no writes. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "25006";
}

/** Of a full disk PostgreSQL may say no more than that it "wrote only 4096 of 8192 bytes". */
export function inWords(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const isDiskFull = error instanceof pg.DatabaseError && error.code === "53100";
  return isDiskFull ? `the database's disk is full: ${words}` : words;
}

/** Class 57P: the server is going down or starting up. */
const isShutdown = (error: pg.DatabaseError): boolean => error.code?.startsWith("57P") ?? false;

/**
 * Full disk, no connection left, cancelled or waiting too long, a password that was changed, a database that
 * was renamed: none of them the caller's fault.
 */
const isTransient = (error: pg.DatabaseError): boolean =>
  /^(08|28|3D|53|40|55P03|57014|25006)/.test(error.code ?? "");

const CONNECTION_LOST =
  /Connection terminated|SSL connection|connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout/i;

/**
 * EMFILE and ENFILE: we have no descriptor left to connect with. The last ones: TLS failed, most often because of the
 * server's certificate.
 */
const hasSystemCode = (error: Error): boolean =>
  "code" in error &&
  /^(ECONN|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EHOST|ENET|EAI_|EMFILE|ENFILE|EPROTO|ERR_(TLS|SSL)_|(CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_)/.test(
    String(error.code),
  );
