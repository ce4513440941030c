import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/client.ts";
import type { Replacement } from "../api/own-types.ts";
import { useAction } from "../api/use-action.ts";
import { CodeField } from "../session/code-field.tsx";
import {
  bodyOf,
  NO_SECOND_FACTOR,
  OtherSecondFactor,
  type SecondFactor,
  SecondFactorField,
} from "../session/second-factor-field.tsx";
import { TotpSecret } from "../session/totp-secret.tsx";
import { refreshMe } from "../session/use-me.ts";
import { Dialog } from "../ui/dialogs.tsx";
import { useDialog } from "../ui/use-dialog.ts";

const PATH = "/dashboard/totp/replacement";

/** Another authenticator app, in two steps: prove the present one, then the new one. */
export function ReplaceApp() {
  const [given, setGiven] = useState(NO_SECOND_FACTOR);
  const [replacement, setReplacement] = useState<Replacement>();
  const begin = useAction<SecondFactor, Replacement>({
    run: (factor) => call("POST", PATH, { body: bodyOf(factor) }),
    changes: ["/dashboard/second-factor"],
    onDone: (data) => {
      setReplacement(data);
      setGiven(NO_SECOND_FACTOR);
      dialog.onClose();
    },
    isQuiet: true,
    isSecret: true,
  });
  const dialog = useDialog(begin);
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        Change the authenticator
      </Button>
      <Dialog
        title="Change your authenticator app"
        {...dialog}
        confirm="Continue"
        isPending={begin.isPending}
        error={begin.error}
        onConfirm={() => begin.mutate(given)}
      >
        <Text size="sm">
          First prove that it is you, with the app that you have now. Have you lost it? Use a
          recovery code.
        </Text>
        <SecondFactorField value={given} onChange={setGiven} />
        <OtherSecondFactor value={given} onChange={setGiven} />
      </Dialog>
      {replacement !== undefined && (
        <NewApp replacement={replacement} onClose={() => setReplacement(undefined)} />
      )}
    </>
  );
}

function NewApp({ replacement, onClose }: { replacement: Replacement; onClose: () => void }) {
  const [code, setCode] = useState("");
  const confirm = useAction<string>({
    run: (entered) =>
      call("POST", `${PATH}/confirmation`, {
        body: { code: entered, candidate: replacement.candidate },
      }),
    changes: ["/dashboard/second-factor", "/dashboard/sessions"],
    done: "Codes now come from the new app; your other sessions have ended",
    onDone: () => {
      void refreshMe();
      onClose();
    },
    isQuiet: true,
    isSecret: true,
  });
  return (
    <Dialog
      title="Set up the new app"
      isOpen
      onClose={onClose}
      confirm="Use this app from now on"
      isPending={confirm.isPending}
      error={confirm.error}
      onConfirm={() => confirm.mutate(code)}
    >
      <Text size="sm">
        Scan this with the new app, then enter the code that it shows. Until you do, the app from
        before counts.
      </Text>
      <TotpSecret enrolment={replacement} />
      <CodeField value={code} onChange={setCode} />
    </Dialog>
  );
}
