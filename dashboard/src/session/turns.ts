import type { Me } from "../api/own-types.ts";
import { queryClient } from "../api/queries.ts";
import { meQuery } from "./use-me.ts";

/**
 * Has everybody taken where they now belong: whoever logs in or out, whose session ends, or who has come in
 * another tab in the place of somebody else.
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

/** However a session ended: whoever comes next finds nothing of the last person's in memory. */
function forgetOthersData(): void {
  const others = {
    predicate: ({ queryKey }: { queryKey: readonly unknown[] }) =>
      queryKey[0] !== meQuery.queryKey[0],
  };
  queryClient.removeQueries({ ...others, type: "inactive" });
  // Removed, what is on the screen would stay there; so it is emptied, and asked for anew.
  void queryClient.resetQueries(others);
  queryClient.getMutationCache().clear();
}
