import { Button, Loader, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "../api/client.ts";
import type { Enrolment } from "../api/own-types.ts";
import { useAction } from "../api/use-action.ts";
import { FailureAlert, Loaded } from "../ui/states.tsx";
import { CodeField } from "./code-field.tsx";
import { LogOutLink } from "./log-out-link.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { TotpSecret } from "./totp-secret.tsx";
import { refreshMe } from "./use-me.ts";

export function EnrolTotp() {
  const [codes, setCodes] = useState<string[]>();
  const enrolment = useQuery({
    queryKey: ["/dashboard/totp/enrolment"],
    queryFn: () => call<Enrolment>("POST", "/dashboard/totp/enrolment"),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (codes !== undefined) {
    return (
      <RecoveryCodes
        lead="Two-factor authentication is on."
        codes={codes}
        onKept={() => void refreshMe()}
      />
    );
  }
  if (enrolment.isPending) return <Loader aria-label="Loading" />;
  return (
    <Loaded query={enrolment}>{(data) => <Enrol enrolment={data} onCodes={setCodes} />}</Loaded>
  );
}

interface EnrolProps {
  enrolment: Enrolment;
  onCodes: (codes: string[]) => void;
}

function Enrol({ enrolment, onCodes }: EnrolProps) {
  const [code, setCode] = useState("");
  const confirm = useAction({
    run: (entered: string) =>
      call<{ recoveryCodes: string[] }>("POST", "/dashboard/totp/confirmation", {
        body: { code: entered },
      }),
    onDone: ({ recoveryCodes }) => onCodes(recoveryCodes),
    isQuiet: true,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(code);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          1. Scan this with an authenticator app, such as Google Authenticator, 1Password or Aegis.
        </Text>
        <TotpSecret enrolment={enrolment} />
        <Text size="sm">2. Enter the code that the app shows.</Text>
        {confirm.error !== null && <FailureAlert error={confirm.error} />}
        <CodeField value={code} onChange={setCode} />
        <Button type="submit" fullWidth loading={confirm.isPending}>
          Turn it on
        </Button>
        <LogOutLink />
      </Stack>
    </form>
  );
}
