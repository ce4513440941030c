import { openDatabase } from "../db/database.ts";
import { refuseForeignDatabase } from "../db/environment.ts";
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
      await refuseForeignDatabase(database.url, invocation.config.env);
      await migrate(database.url, invocation.print);
    } finally {
      await database.stop();
    }
    invocation.print("The schema is up to date.");
    return 0;
  },
};
