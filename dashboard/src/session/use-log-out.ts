import { call } from "../api/client.ts";
import { queryClient } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { meQuery, refreshMe } from "./use-me.ts";

/** Leaves nothing of the last person's data in memory. */
export function useLogOut() {
  return useAction<void>({
    run: () => call("POST", "/dashboard/log-out"),
    onDone: async () => {
      await refreshMe();
      queryClient.removeQueries({
        predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0],
      });
    },
  });
}
