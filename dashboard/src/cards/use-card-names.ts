import type { Card } from "@florin/sdk";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { queryClient, resourceQuery } from "../api/queries.ts";
import { lastFour, shortId } from "./names.ts";

const PATH = "/dashboard/card-names";
/** As many as the service tells at once, and as a page of a list has rows. */
const MAX_ASKED = 100;

type Names = Record<string, string>;
const NONE: Names = {};

/** The digits of a card never change: what was told once is known for as long as somebody is signed in. */
const known = queryOptions<Names>({
  queryKey: [PATH, "known"],
  queryFn: () => NONE,
  initialData: NONE,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/**
 * What the cards of a list are called. Those that are not known yet are asked for together, so that a page of
 * rows costs one request at most. Until the answer is there, a card has no name.
 */
export function useCardNames(cardIds: readonly string[]): (cardId: string) => string | undefined {
  const { data: names } = useQuery(known);
  const asked = useMemo(() => unknownAmong(cardIds, names).join(","), [cardIds, names]);
  const { data, isError } = useQuery({
    ...resourceQuery<Pick<Card, "cardId" | "maskedPan">[]>(PATH, { cardIds: asked }),
    enabled: asked !== "",
    gcTime: 0,
  });
  useEffect(() => {
    if (data === undefined) return;
    const told = Object.fromEntries(data.map((card) => [card.cardId, lastFour(card)]));
    queryClient.setQueryData(known.queryKey, (old) => ({ ...old, ...told }));
  }, [data]);
  return useCallback(
    (cardId) => names[cardId] ?? (isError ? shortId(cardId) : undefined),
    [names, isError],
  );
}

const unknownAmong = (cardIds: readonly string[], names: Names): string[] =>
  [...new Set(cardIds)].filter((cardId) => names[cardId] === undefined).slice(0, MAX_ASKED);
