import { QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import type { Me } from "../api/own-types.ts";
import { queryClient } from "../api/queries.ts";
import { onTurn } from "./turns.ts";
import { meQuery } from "./use-me.ts";

const me = (state: Me["state"], personId?: string): Me => ({
  state,
  csrfToken: "",
  environment: "sandbox",
  hasMailbox: true,
  addresses: { api: "", identity: "" },
  ...(personId === undefined
    ? {}
    : { person: { personId, name: "", email: "", role: "Owner" as const } }),
});

const ADA = me("Full", "per_ada");
const OBI = me("Full", "per_obi");
const CARDS = ["/api/v1/cards", {}];

const pause = () => new Promise<void>((resolve) => void setTimeout(resolve));
const come = (who: Me) => queryClient.setQueryData(meQuery.queryKey, who);

/** Where the router would take them. */
const move = vi.fn<() => Promise<unknown>>();
onTurn(() => move());

/** Ada is here, and whatever her coming brought about is over. */
beforeEach(async () => {
  move.mockResolvedValue(undefined);
  come(me("None"));
  await pause();
  queryClient.clear();
  come(ADA);
  await pause();
  queryClient.setQueryData(CARDS, "Ada's");
  move.mockClear();
});

test.each([
  ["somebody else", OBI, async () => undefined],
  ["nobody", me("None"), async () => undefined],
  ["somebody else, where the way there fails", OBI, () => Promise.reject(new Error("No way."))],
])("after a person comes %s, who finds nothing of theirs", async (_, next, way) => {
  move.mockImplementation(way);
  come(next);
  expect(move).toHaveBeenCalledOnce();
  await expect.poll(() => queryClient.getQueryData(CARDS)).toBeUndefined();
});

test("what is on the screen is asked for anew", async () => {
  const cards = new QueryObserver(queryClient, {
    queryKey: CARDS,
    queryFn: () => "Obi's",
    staleTime: Number.POSITIVE_INFINITY,
  });
  const leave = cards.subscribe(() => undefined);
  expect(cards.getCurrentResult().data).toBe("Ada's");
  come(OBI);
  await expect.poll(() => cards.getCurrentResult().data).toBe("Obi's");
  leave();
});

test("whoever stays keeps what they have", async () => {
  come({ ...ADA, csrfToken: "renewed" });
  await pause();
  expect(move).not.toHaveBeenCalled();
  expect(queryClient.getQueryData(CARDS)).toBe("Ada's");
});
