import type { Operation } from "./operation.ts";
import { insert, type Table } from "./table.ts";

/**
 * A new table of a megabyte, which needs new room: on a full disk, whatever fits into the pages that are there
 * still succeeds, and now and then a page comes free. It is gone before the commit, and unlogged, so that no
 * replica is told of it. Names are of one length, and need no second table for long ones.
 */
const newTable: Table<object> = {
  name: "florin_write_probe",
  idOf: () => "",
  insert: () => ({
    name: "write_probe",
    text: `do $$ begin
      create unlogged table florin_write_probe as
        select n::text::name as filler from generate_series(1, 10000) as n;
      drop table florin_write_probe;
    end $$`,
  }),
};

/** Writes and changes nothing: succeeds if writes work. */
export const writeProbe: Operation<undefined, undefined> = {
  name: "write-probe",
  accounts: () => [],
  decide: () => ({
    effects: { postings: [], events: [], rows: [insert(newTable, {})] },
    answer: undefined,
  }),
};
