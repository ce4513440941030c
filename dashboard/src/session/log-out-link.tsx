import { Anchor } from "@mantine/core";
import { useLogOut } from "./use-log-out.ts";

export function LogOutLink() {
  const logOut = useLogOut();
  return (
    <Anchor component="button" type="button" size="sm" c="dimmed" onClick={() => logOut.mutate()}>
      Log in as somebody else
    </Anchor>
  );
}
