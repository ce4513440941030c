import { useQuery } from "@tanstack/react-query";
import { asFailure } from "../api/failure.ts";
import { resourceQuery } from "../api/queries.ts";

const NOT_FOUND = "157";

/** What a link from a letter stands for. It is asked once for each visit: what is done with it uses it up. */
export function useLink<Data extends object>(path: string, token: string) {
  const link = useQuery({
    ...resourceQuery<Data>(path, { token }),
    enabled: token !== "",
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  });
  return { ...link, isSpent: token === "" || isSpent(link.error) };
}

/** A service that cannot tell has not said that a link is spent. */
export const isSpent = (error: Error | null): boolean =>
  error !== null && asFailure(error).facts.code === NOT_FOUND;
