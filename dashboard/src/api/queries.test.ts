import { MutationObserver, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { queryClient, refresh } from "./queries.ts";

test("nothing of a write stays in memory once it is let go", async () => {
  const action: MutationObserver<string, Error, string> = new MutationObserver(queryClient, {
    mutationFn: async (_password: string) => "a secret",
    onSuccess: () => action.reset(),
  });
  const leave = action.subscribe(() => undefined);
  expect(await action.mutate("a password")).toBe("a secret");
  expect(action.getCurrentResult()).toMatchObject({ data: undefined, variables: undefined });
  await expect.poll(() => queryClient.getMutationCache().getAll()).toEqual([]);
  leave();
});

test("what has changed while its first answer was on the way is asked for again", async () => {
  const answers: ((answer: string) => void)[] = [];
  const shown = new QueryObserver(queryClient, {
    queryKey: ["/api/v1/cards", {}],
    queryFn: () => new Promise<string>((answer) => answers.push(answer)),
  });
  const leave = shown.subscribe(() => undefined);
  const refreshed = refresh("/api/v1/cards");
  answers[0]?.("as it was");
  await expect.poll(() => answers).toHaveLength(2);
  answers[1]?.("as it is");
  await refreshed;
  expect(shown.getCurrentResult().data).toBe("as it is");
  leave();
});
