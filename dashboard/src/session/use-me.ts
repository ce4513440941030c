import { queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { call, session } from "../api/client.ts";
import type { Me, Permission } from "../api/own-types.ts";
import { queryClient } from "../api/queries.ts";

export const meQuery = queryOptions({
  queryKey: ["/dashboard/me"],
  queryFn: async () => {
    const me = await call<Me>("GET", "/dashboard/me");
    session.csrfToken = me.csrfToken;
    session.personId = me.person?.personId;
    return me;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Asks again who we are: after every step of signing in or out, and when a session has ended. */
export async function refreshMe(): Promise<Me> {
  return queryClient.fetchQuery({ ...meQuery, staleTime: 0 });
}

session.refresh = async () => void (await refreshMe().catch(() => undefined));
session.ended = () => void session.refresh();

export const useMe = (): Me => useSuspenseQuery(meQuery).data;

export function useCan(): (permission: Permission) => boolean {
  const { data } = useQuery(meQuery);
  return (permission) => data?.permissions?.includes(permission) ?? false;
}

export function useIsSandbox(): boolean {
  return useMe().environment === "sandbox";
}
