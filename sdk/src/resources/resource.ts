import type { Caller, Input } from "../caller.ts";
import { Csv } from "../csv.ts";
import { List } from "../list.ts";
import type { Data, OperationId } from "../operation.ts";
import type { CallOptions } from "../options.ts";

/** What may be said for a call that only reads. Each attempt has a Reference of its own. */
export type ReadOptions = Pick<CallOptions, "signal" | "timeoutMs" | "maxRetries">;

type ItemOf<Id extends OperationId> = Data<Id> extends Array<infer Item> ? Item : never;

/** What all groups of calls have in common. */
export abstract class Resource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  protected call<Id extends OperationId>(
    operationId: Id,
    input: Input,
    options?: CallOptions,
  ): Promise<Data<Id>> {
    return this.#caller.call(operationId, input, options);
  }

  protected listing<Id extends OperationId>(
    operationId: Id,
    { query, ...input }: Input & { query?: { cursor?: string | undefined } | undefined },
    options?: ReadOptions,
  ): List<ItemOf<Id>> {
    return new List(async (cursor) => {
      const page = { ...input, query: { ...query, cursor } };
      const { data, pagination } = await this.#caller.envelope(operationId, page, options);
      return { data: data as ItemOf<Id>[], nextCursor: pagination?.nextCursor ?? null };
    }, query?.cursor);
  }

  protected csv(operationId: OperationId, input: Input, options?: ReadOptions): Csv {
    return new Csv(() => this.#caller.download(operationId, input, "text/csv", options));
  }
}
