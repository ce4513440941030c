import { MutationObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { queryClient } from "./queries.ts";

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
