import { expectUsable } from "../admission.ts";
import { openDatabase } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { type Command, readArguments } from "./command.ts";

export const migrateCommand: Command = {
  name: "migrate",
  parameters: "",
  summary: "Bring the database to the newest schema",
  run: async (invocation) => {
    readArguments(invocation, []);
    const database = await openDatabase(invocation.config, () => undefined);
    try {
      await expectUsable(database.url, invocation.config);
      await migrate(database.url, invocation.print);
    } finally {
      await database.stop();
    }
    invocation.print("The schema is up to date.");
    return 0;
  },
};
