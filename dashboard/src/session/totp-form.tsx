import { Anchor, Button, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { FailureAlert } from "../ui/states.tsx";
import { CodeField } from "./code-field.tsx";
import { LogOutLink } from "./log-out-link.tsx";
import { refreshMe } from "./use-me.ts";

export function TotpForm() {
  const [isRecovery, setRecovery] = useState(false);
  const [code, setCode] = useState("");
  const confirm = useAction({
    run: (entered: string) =>
      call("POST", "/dashboard/log-in/totp", {
        body: isRecovery ? { recoveryCode: entered.trim() } : { code: entered },
      }),
    onDone: () => void refreshMe(),
    isQuiet: true,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(code);
  };
  const change = () => {
    setRecovery(!isRecovery);
    setCode("");
    confirm.reset();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {confirm.error !== null && <FailureAlert error={confirm.error} />}
        {isRecovery ? (
          <TextInput
            label="Recovery code"
            description="One of the ten you kept when you set this up. It works once."
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        ) : (
          <CodeField value={code} onChange={setCode} />
        )}
        <Button type="submit" fullWidth loading={confirm.isPending}>
          Log in
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={change}>
          {isRecovery ? "Use the authenticator app" : "Use a recovery code"}
        </Anchor>
        <LogOutLink />
      </Stack>
    </form>
  );
}
