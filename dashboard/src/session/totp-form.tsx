import { Button, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { FailureAlert } from "../ui/states.tsx";
import { LogOutLink } from "./log-out-link.tsx";
import {
  bodyOf,
  NO_SECOND_FACTOR,
  OtherSecondFactor,
  type SecondFactor,
  SecondFactorField,
} from "./second-factor-field.tsx";
import { refreshMe } from "./use-me.ts";

export function TotpForm() {
  const [given, setGiven] = useState(NO_SECOND_FACTOR);
  const confirm = useAction<SecondFactor, { recoveryCodesLeft?: number }>({
    run: (factor) => call("POST", "/dashboard/log-in/totp", { body: bodyOf(factor) }),
    done: ({ recoveryCodesLeft }) => sayLeft(recoveryCodesLeft),
    onDone: () => void refreshMe(),
    isQuiet: true,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(given);
  };
  const change = (factor: SecondFactor) => {
    if (factor.isRecovery !== given.isRecovery) confirm.reset();
    setGiven(factor);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {confirm.error !== null && <FailureAlert error={confirm.error} />}
        <SecondFactorField value={given} onChange={change} />
        <Button type="submit" fullWidth loading={confirm.isPending}>
          Log in
        </Button>
        <OtherSecondFactor value={given} onChange={change} />
        <LogOutLink />
      </Stack>
    </form>
  );
}

/** Whoever has used a recovery code should know when they run out. */
function sayLeft(left: number | undefined): string | undefined {
  if (left === undefined) return undefined;
  if (left === 0) return "That was your last recovery code. Make new ones in your profile.";
  const codes = left === 1 ? "1 recovery code is" : `${left} recovery codes are`;
  return `That code is used up; ${codes} left. New ones are made in your profile.`;
}
