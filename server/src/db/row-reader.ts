import type pg from "pg";
import { types } from "./pool.ts";

/** Makes an object of the texts of a row. */
export type RowReader = (texts: readonly (string | null)[]) => object;

type Parse = (text: string) => unknown;

/**
 * The reader of a statement's rows, written out as one object literal with all its columns: three times as
 * fast as setting them one by one. Only prepared statements are worth it, whose columns we name ourselves.
 */
export function rowReader(fields: readonly pg.FieldDef[]): RowReader {
  const parsers = fields.map(({ dataTypeID }): Parse => types.getTypeParser(dataTypeID, "text"));
  const columns = fields.map(
    ({ name }, i) =>
      `${JSON.stringify(name)}: texts[${i}] === null ? null : parsers[${i}](texts[${i}])`,
  );
  const source = `return (texts) => ({ ${columns.join(", ")} });`;
  return new Function("parsers", source)(parsers) as RowReader;
}
