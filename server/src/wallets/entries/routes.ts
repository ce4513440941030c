import { z } from "zod";
import { readRange } from "../../foundation/dates.ts";
import type { App } from "../../http/app.ts";
import { CSV_TYPE, wantsCsv } from "../../http/csv.ts";
import { describe } from "../../http/openapi.ts";
import { pageOf, pageQuery, rangeQuery } from "../../http/pagination.ts";
import { pathId } from "../../http/schema.ts";
import { isSealedPlace, sealPlace } from "./place.ts";
import { type EntriesDeps, exportEntries, readEntries } from "./service.ts";
import { entryOf, WalletEntry } from "./wire.ts";

const ListEntries = describe({
  operationId: "listWalletEntries",
  tag: "Wallets",
  summary: "List a wallet's entries",
  description:
    "The lines of the wallet's ledger, newest first, each with the balance it left. With `Accept: text/csv` " +
    "the answer is a CSV file of all lines that the filter matches; `limit` and `cursor` then mean nothing. " +
    "Text in it that a spreadsheet would take for a formula has an apostrophe before it.",
  params: z.strictObject({ walletId: pathId("wal") }),
  querystring: z.strictObject({ ...pageQuery(isSealedPlace), ...rangeQuery }),
  data: WalletEntry.array(),
  paged: true,
  csv: true,
});

export function entryRoutes(api: App, deps: EntriesDeps): void {
  api.get(
    "/wallets/:walletId/entries",
    { schema: ListEntries },
    async ({ caller, params, query, headers }) => {
      const { walletId } = params;
      const wallet = { organizationId: caller.organizationId, walletId };
      const range = readRange(query);
      if (wantsCsv(headers.accept)) {
        return { contentType: CSV_TYPE, pieces: await exportEntries(deps, wallet, range) };
      }
      const lines = await readEntries(deps, wallet, range, query);
      return pageOf(
        lines,
        query,
        ({ postingId }) => sealPlace(deps.vault, wallet, postingId),
        (line) => entryOf(walletId, line),
      );
    },
  );
}
