import { isServerError } from "../db/errors.ts";
import { BEGIN, COMMIT, type Lane, type Session, type Statement } from "../db/lane.ts";
import { Failure } from "../foundation/failure.ts";
import { type Account, type AccountKey, lockAccounts } from "../ledger/accounts.ts";
import type { Claim, Known } from "../references/claim.ts";
import { findKnown, GENERATION_LOCK, YOUNGEST_GENERATION } from "../references/store.ts";
import {
  type DecidedBatch,
  decideBatch,
  type Job,
  type Loaded,
  type OwnedNeed,
  type Verdict,
} from "./batch.ts";
import type { LoadedRows } from "./rows.ts";
import type { Load, RowKey } from "./table.ts";

const ROLLBACK: Statement = { name: "rollback", text: "rollback" };
const START: Statement = {
  name: "batch_start",
  text: `select pg_advisory_xact_lock_shared($1), pg_current_xact_id()::text as "transactionId"`,
  values: [GENERATION_LOCK],
};

const startWithin = (lockPatienceMs: number): Statement => ({
  name: "batch_start_within",
  text: `
    select set_config('lock_timeout', $2, true), pg_advisory_xact_lock_shared($1),
           pg_current_xact_id()::text as "transactionId"`,
  values: [GENERATION_LOCK, `${lockPatienceMs}ms`],
});

/** How long, and how often, a commit whose answer was lost is asked after. */
const FATE_PATIENCE_MS = 5_000;
const FATE_PAUSE_MS = 250;
/** Operations ask for what they find that they lack; none has cause to ask so often. */
const MAX_FURTHER_TRIPS = 10;

/**
 * One batch, one transaction, two trips as a rule: lock and load; then, decided, write and commit. It waits for locks as
 * long as the lane does, unless `lockPatienceMs` says otherwise.
 */
export async function commitBatch(
  jobs: Job[],
  lane: Lane,
  now: () => Date,
  lockPatienceMs?: number,
): Promise<Verdict[]> {
  // Both trips on one connection: on another, there would be no transaction to commit.
  const session = await lane.session();
  const { transactionId, loaded } = await load(jobs, session, lockPatienceMs);
  const decided = await rollbackOnError(session, () => decide(jobs, loaded, session, now));
  try {
    await writeAndCommit(session, decided.writes);
  } catch (error) {
    if (isServerError(error) || !(await wasCommitted(lane, transactionId, decided.witness)))
      throw error;
  }
  return decided.verdicts;
}

/** What a decision turns out to lack is read in a trip of its own, and then all is decided anew. */
async function decide(
  jobs: Job[],
  loaded: Loaded,
  session: Session,
  now: () => Date,
): Promise<DecidedBatch> {
  const rows = [...loaded.rows];
  for (let trips = 0; ; trips++) {
    const decided = decideBatch(jobs, { ...loaded, rows }, now());
    if (decided.lacking.length === 0) return decided;
    if (trips === MAX_FURTHER_TRIPS) throw new Error("A decision lacks more and more.");
    const needs = groupedNeeds(decided.lacking);
    const results = await session.send(loadStatements(needs));
    rows.push(
      ...loadedRows(
        needs,
        results.map((result) => result.rows),
      ),
    );
  }
}

async function load(
  jobs: Job[],
  session: Session,
  lockPatienceMs?: number,
): Promise<{ transactionId: string; loaded: Loaded }> {
  const keys = sortedAccountKeys(jobs);
  const needs = groupedNeeds(neededBy(jobs));
  const claims = jobs.flatMap((job) => job.claim ?? []);
  // Rows are read after the locks, each statement with a snapshot of its own: they see what the
  // holders before did.
  const statements = [BEGIN, lockPatienceMs === undefined ? START : startWithin(lockPatienceMs)];
  if (keys.length > 0) statements.push(lockAccounts(keys));
  statements.push(...loadStatements(needs));
  if (claims.length > 0) statements.push(findKnown(claims), YOUNGEST_GENERATION);

  const results = await rollbackOnError(session, () => session.send(statements));
  const [, started, ...found] = results.map(({ rows }) => rows);
  const accounts = keys.length > 0 ? (found.shift() as Account[]) : [];
  const rows = loadedRows(needs, found.splice(0, needs.size));
  const known = claims.length > 0 ? (found.shift() as Known[]) : [];
  const generation = found.shift()?.[0].generation ?? 0;
  return {
    transactionId: started?.[0].transactionId,
    loaded: { accounts, rows, known, generation },
  };
}

async function writeAndCommit(session: Session, writes: Statement[]): Promise<void> {
  const results = await session.send([...writes, COMMIT]);
  // PostgreSQL answers the commit of a failed transaction politely, with ROLLBACK.
  if (results.at(-1)?.command !== "COMMIT") throw new Error("The batch was rolled back.");
}

/** The connection broke around the commit: ask what became of the transaction. */
async function wasCommitted(
  lane: Lane,
  transactionId: string,
  witness: Claim | undefined,
): Promise<boolean> {
  const deadlineMs = performance.now() + FATE_PATIENCE_MS;
  while (performance.now() < deadlineMs) {
    const fate = await askFate(lane, transactionId, witness).catch(() => undefined);
    if (fate?.status === "aborted") return false;
    if (fate?.status === "committed" && witness !== undefined) return fate.isWitnessed;
    if (fate?.status === "committed") break;
    await new Promise((resolve) => setTimeout(resolve, FATE_PAUSE_MS));
  }
  throw new OutcomeUnknown();
}

/**
 * A database that crashed may have given the number of a transaction it lost to another one, so "committed"
 * counts only together with what the batch wrote; without a witness nobody can say. The status is read
 * first: what is committed then, the second statement sees.
 */
async function askFate(
  lane: Lane,
  transactionId: string,
  witness: Claim | undefined,
): Promise<{ status: string | null; isWitnessed: boolean }> {
  const [status, found] = await lane.send([
    {
      name: "batch_status",
      text: "select pg_xact_status($1::text::xid8) as status",
      values: [transactionId],
    },
    {
      name: "batch_witness",
      text: `select from request_references where client_id = $1 and reference = $2 and request_id = $3`,
      values: [witness?.clientId ?? "", witness?.reference ?? "", witness?.requestId ?? ""],
    },
  ]);
  return { status: status?.rows[0].status ?? null, isWitnessed: found?.rowCount === 1 };
}

/** Nobody can say whether the batch took effect: it must not be run again here, only by its callers. */
export class OutcomeUnknown extends Failure {
  constructor() {
    super("SERVICE_MALFUNCTION", {
      message:
        "The database was lost while the request was being committed; its outcome is unknown",
    });
  }
}

async function rollbackOnError<T>(session: Session, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await session.send([ROLLBACK]).catch(() => undefined);
    throw error;
  }
}

/** Locks are taken in one order everywhere, so that batches never wait for each other in a circle. */
function sortedAccountKeys(jobs: Job[]): AccountKey[] {
  const keys = new Map<string, AccountKey>();
  for (const { operation, organizationId, input } of jobs) {
    for (const accountId of operation.accounts(input)) {
      keys.set(`${organizationId} ${accountId}`, { organizationId, accountId });
    }
  }
  return [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
}

function* neededBy(jobs: Job[]): Generator<OwnedNeed> {
  for (const { operation, organizationId, input } of jobs) {
    for (const need of operation.needs?.(input) ?? []) yield { organizationId, need };
  }
}

type Needs = Map<Load<never>, Map<string, RowKey>>;

/** Each row once. */
function groupedNeeds(needed: Iterable<OwnedNeed>): Needs {
  const needs: Needs = new Map();
  for (const { organizationId, need } of needed) {
    const keys = needs.get(need.load) ?? new Map<string, RowKey>();
    keys.set(`${organizationId} ${need.key}`, { organizationId, id: need.key });
    needs.set(need.load, keys);
  }
  return needs;
}

const loadStatements = (needs: Needs): Statement[] =>
  [...needs].map(([load, keys]) => load.statement([...keys.values()]));

const loadedRows = (needs: Needs, found: LoadedRows["rows"][]): LoadedRows[] =>
  [...needs].map(([load, keys], index) => ({
    load,
    keys: [...keys.values()],
    rows: found[index] ?? [],
  }));
