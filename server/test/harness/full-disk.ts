import { execute } from "./empty-database.ts";

const REFUSE = `language plpgsql as $$ begin
  raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
end $$`;

/** Where small rows still find room, but neither postings nor tables do: what a full disk of data files is like. */
export async function fillDisk(databaseUrl: string): Promise<void> {
  await execute(
    databaseUrl,
    `create function disk_is_full() returns trigger ${REFUSE};
     create trigger disk_is_full before insert on postings execute function disk_is_full();
     create function disk_is_full_for_tables() returns event_trigger ${REFUSE};
     create event trigger disk_is_full on ddl_command_start when tag in ('CREATE TABLE AS')
       execute function disk_is_full_for_tables()`,
  );
}

export async function freeDisk(databaseUrl: string): Promise<void> {
  await execute(
    databaseUrl,
    `drop event trigger disk_is_full;
     drop function disk_is_full_for_tables();
     drop trigger disk_is_full on postings;
     drop function disk_is_full()`,
  );
}
