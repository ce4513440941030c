import type { RequestOutcome } from "@florin/sdk";
import { notifications } from "@mantine/notifications";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { call } from "./client.ts";
import { asFailure, type Failure, sayFailure } from "./failure.ts";
import { refresh } from "./queries.ts";
import { newReference } from "./reference.ts";

interface Action<Input, Data> {
  run: (input: Input, reference: string) => Promise<Data>;
  /** Addresses whose data this action changes. */
  changes?: string[];
  /** Reads what it made, where the answer was lost. Without it, all that is known then is that it is done. */
  recover?: (resourceId: string) => Promise<Data>;
  /** Said when it is done. */
  done?: string | ((data: Data) => string | undefined);
  onDone?: (data: Data, input: Input) => void;
  /** Forms show their failures themselves. */
  isQuiet?: boolean;
  /** What was sent or answered is kept nowhere but where `onDone` puts it. */
  isSecret?: boolean;
}

/** Stands for the answer of what was done without its answer having arrived. */
const LOST = {};

interface Attempt {
  payload: string;
  reference: string;
  wasLost: boolean;
}

/** A write: one Reference for one intention, kept while the same thing is tried again. */
export function useAction<Input = void, Data = unknown>(
  action: Action<Input, Data>,
): UseMutationResult<Data, Failure, Input> {
  const last = useRef<Attempt | undefined>(undefined);
  const mutation = useMutation<Data, Failure, Input>({
    mutationFn: async (input) => {
      const attempt = attemptFor(last.current, input);
      last.current = attempt;
      try {
        const data = await action.run(input, attempt.reference);
        last.current = undefined;
        return data;
      } catch (error) {
        const data = await resolveLost(asFailure(error), attempt, action.recover);
        // What is done is done: the same again is meant anew.
        last.current = undefined;
        return data;
      }
    },
    onSuccess: (data, input) => {
      void refresh(...(action.changes ?? []));
      const text = wordsFor(action, data);
      if (text !== undefined) notifications.show({ message: text, color: "evergreen" });
      action.onDone?.(data, input);
      if (action.isSecret === true) mutation.reset();
    },
    onError: (failure) => {
      if (action.isQuiet === true) return;
      notifications.show({
        title: "That did not work",
        message: sayFailure(failure),
        color: "red",
      });
    },
  });
  return mutation;
}

/** Of an answer that was lost no more can be said than that it is done. */
function wordsFor<Data>(
  { done, isSecret }: Pick<Action<never, Data>, "done" | "isSecret">,
  data: Data,
): string | undefined {
  if (data !== LOST) return typeof done === "function" ? done(data) : done;
  if (isSecret === true) return "It is done, but the secret was lost on its way: rotate it";
  return typeof done === "string" ? done : "It is done";
}

function attemptFor(last: Attempt | undefined, input: unknown): Attempt {
  const payload = JSON.stringify(input) ?? "";
  if (last?.payload === payload) return last;
  return { payload, reference: newReference(), wasLost: false };
}

/** An answer that was lost may hide a success: the service knows what became of the Reference. */
async function resolveLost<Data>(
  failure: Failure,
  attempt: Attempt,
  recover: Action<never, Data>["recover"],
): Promise<Data> {
  const isRepeat = attempt.wasLost && failure.facts.code === "139";
  attempt.wasLost ||= failure.facts.httpStatus === 0;
  if (!isRepeat) throw failure;
  const path = `/api/v1/requests/${attempt.reference}`;
  const { state, resourceId } = await call<RequestOutcome>("GET", path);
  if (state !== "Succeeded") throw failure;
  return recover === undefined || resourceId === null ? (LOST as Data) : recover(resourceId);
}
