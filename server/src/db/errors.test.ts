import pg from "pg";
import { expect, test } from "vitest";
import { inWords, isServerError, isUnavailable } from "./errors.ts";

function reported(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError("any", 0, "error");
  error.code = code;
  return error;
}

const system = (code: string): Error => Object.assign(new Error("any"), { code });

test.each([
  ["a violated constraint", reported("23514"), { server: true, unavailable: false }],
  ["a wrong statement", reported("42601"), { server: true, unavailable: false }],
  ["a lost race", reported("40001"), { server: true, unavailable: true }],
  ["a deadlock", reported("40P01"), { server: true, unavailable: true }],
  ["a lock that took too long", reported("55P03"), { server: true, unavailable: true }],
  ["a statement that took too long", reported("57014"), { server: true, unavailable: true }],
  ["too many connections", reported("53300"), { server: true, unavailable: true }],
  ["a full disk", reported("53100"), { server: true, unavailable: true }],
  ["a password that was changed", reported("28P01"), { server: true, unavailable: true }],
  ["a database that is not there", reported("3D000"), { server: true, unavailable: true }],
  ["a standby, after a failover", reported("25006"), { server: true, unavailable: true }],
  // What ends the connection leaves a commit's outcome open, so it is no answer to the statement.
  ["terminated by an administrator", reported("57P01"), { server: false, unavailable: true }],
  ["crashed", reported("57P02"), { server: false, unavailable: true }],
  ["starting up", reported("57P03"), { server: false, unavailable: true }],
  ["nobody listens", system("ECONNREFUSED"), { server: false, unavailable: true }],
  ["the socket is gone", system("ENOENT"), { server: false, unavailable: true }],
  ["the connection was reset", system("ECONNRESET"), { server: false, unavailable: true }],
  ["the pipe is broken", system("EPIPE"), { server: false, unavailable: true }],
  ["we may open nothing more", system("EMFILE"), { server: false, unavailable: true }],
  ["nobody may open anything more", system("ENFILE"), { server: false, unavailable: true }],
  ["the name does not resolve", system("EAI_AGAIN"), { server: false, unavailable: true }],
  ["the name is not known", system("ENOTFOUND"), { server: false, unavailable: true }],
  ["its certificate has expired", system("CERT_HAS_EXPIRED"), { server: false, unavailable: true }],
  [
    "nobody vouches for its certificate",
    system("UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
    { server: false, unavailable: true },
  ],
  [
    "its certificate vouches for itself",
    system("DEPTH_ZERO_SELF_SIGNED_CERT"),
    { server: false, unavailable: true },
  ],
  [
    "its certificate is for another name",
    system("ERR_TLS_CERT_ALTNAME_INVALID"),
    { server: false, unavailable: true },
  ],
  ["TLS was broken off", system("EPROTO"), { server: false, unavailable: true }],
  [
    "it does not speak TLS",
    new Error("The server does not support SSL connections"),
    { server: false, unavailable: true },
  ],
  [
    "the driver lost the connection",
    new Error("Connection terminated unexpectedly"),
    { server: false, unavailable: true },
  ],
  [
    "the driver knows it lost it before",
    new Error("Client has encountered a connection error and is not queryable"),
    { server: false, unavailable: true },
  ],
  [
    "the driver waited in vain",
    new Error("Query read timeout"),
    { server: false, unavailable: true },
  ],
  [
    "the driver could not connect",
    new Error("timeout expired"),
    { server: false, unavailable: true },
  ],
  [
    "the pool had no connection to give",
    new Error("timeout exceeded when trying to connect"),
    { server: false, unavailable: true },
  ],
  ["a bug", new TypeError("x is not a function"), { server: false, unavailable: false }],
  ["not even an error", "oops", { server: false, unavailable: false }],
])("%s", (_what, error, expected) => {
  expect({ server: isServerError(error), unavailable: isUnavailable(error) }).toEqual(expected);
});

test.each([
  [reported("53100"), "the database's disk is full: any"],
  [reported("53300"), "any"],
  [system("EPIPE"), "any"],
  ["any", "any"],
])("%s is put into words", (error, words) => {
  expect(inWords(error)).toBe(words);
});
