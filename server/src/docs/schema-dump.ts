import type { Pool } from "../db/pool.ts";

/**
 * The schema as text, the same for the same schema on every machine: what the migrations add up to,
 * in a form that a reviewer can read and a diff can show.
 */
export async function dumpSchema(pool: Pool): Promise<string> {
  const { rows: tables } = await pool.query<{
    name: string;
    partition: string | null;
    options: string | null;
  }>(
    `select c.relname as name, pg_get_partkeydef(c.oid) as partition, array_to_string(c.reloptions, ', ') as options
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition order by c.relname`,
  );
  const parts = ["-- Generated from server/migrations by `npm run generate`.\n"];
  for (const table of tables) parts.push(await dumpTable(pool, table));
  parts.push(...(await dumpFunctions(pool)));
  return parts.join("\n");
}

async function dumpTable(
  pool: Pool,
  table: { name: string; partition: string | null; options: string | null },
): Promise<string> {
  const lines = async (text: string): Promise<string[]> =>
    (await pool.query<{ line: string }>(text, [table.name])).rows.map((row) => row.line);
  const columns = await lines(
    `select format('  %s %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
            case when a.attcollation <> t.typcollation then ' collate "' || co.collname || '"' else '' end,
            case when a.attnotnull then ' not null' else '' end,
            case when a.attidentity <> '' then ' generated always as identity'
                 when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end) as line
       from pg_attribute a join pg_type t on t.oid = a.atttypid
       left join pg_collation co on co.oid = a.attcollation
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = ($1)::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`,
  );
  // Not-null constraints are listed with their columns, and are rows of their own only since PostgreSQL 18.
  const constraints = await lines(
    `select format('  constraint %s %s', conname, pg_get_constraintdef(oid)) as line from pg_constraint
      where conrelid = ($1)::regclass and contype <> 'n' order by conname`,
  );
  const indexes = await lines(
    `select pg_get_indexdef(i.indexrelid) || ';' as line from pg_index i
       join pg_class c on c.oid = i.indexrelid
      where i.indrelid = ($1)::regclass and not exists
        (select from pg_constraint where conindid = i.indexrelid) order by c.relname`,
  );
  const triggers = await lines(
    `select pg_get_triggerdef(oid) || ';' as line from pg_trigger
      where tgrelid = ($1)::regclass and not tgisinternal order by tgname`,
  );
  const partition = table.partition === null ? "" : ` partition by ${table.partition}`;
  const options = table.options === null || table.options === "" ? "" : ` with (${table.options})`;
  const body = [...columns, ...constraints].join(",\n");
  const head = `create table ${table.name} (\n${body}\n)${partition}${options};`;
  return `${[head, ...indexes, ...triggers].join("\n")}\n`;
}

async function dumpFunctions(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ source: string }>(
    `select pg_get_functiondef(oid) as source from pg_proc
      where pronamespace = 'public'::regnamespace order by proname`,
  );
  return rows.map(({ source }) => `${source.trimEnd()};\n`);
}
