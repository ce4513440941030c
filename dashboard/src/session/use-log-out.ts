import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { refreshMe } from "./use-me.ts";

export function useLogOut() {
  return useAction<void>({
    run: () => call("POST", "/dashboard/log-out"),
    onDone: () => void refreshMe(),
  });
}
