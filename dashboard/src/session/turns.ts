import type { Me } from "../api/own-types.ts";
import { queryClient } from "../api/queries.ts";
import { meQuery } from "./use-me.ts";

/**
 * Calls `move` whenever somebody may belong on another page: after logging in or out, when a session ends, or
 * when another tab has signed in as somebody else.
 */
export function onTurn(move: () => Promise<unknown>): void {
  let last = queryClient.getQueryData(meQuery.queryKey);
  queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== meQuery.queryKey[0]) return;
    const now = query.state.data as Me | undefined;
    if (now === undefined) return;
    const before = last;
    last = now;
    if (before === undefined || isSame(before, now)) return;
    const moved = move().catch(() => undefined);
    if (before.state === "Full") void moved.finally(forgetOthersData);
  });
}

const isSame = (one: Me, other: Me): boolean =>
  one.state === other.state && one.person?.personId === other.person?.personId;

/** However a session ended, the next person finds nothing of the last one's data in memory. */
function forgetOthersData(): void {
  const others = {
    predicate: ({ queryKey }: { queryKey: readonly unknown[] }) =>
      queryKey[0] !== meQuery.queryKey[0],
  };
  queryClient.removeQueries({ ...others, type: "inactive" });
  // Removing what is shown would leave it on the screen; so it is emptied, and asked for anew.
  void queryClient.resetQueries(others);
  queryClient.getMutationCache().clear();
}
