import { Text } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/client.ts";
import type { Replacement } from "../api/own-types.ts";
import { useAction } from "../api/use-action.ts";
import { CodeField } from "../session/code-field.tsx";
import { TotpSecret } from "../session/totp-secret.tsx";
import { refreshMe } from "../session/use-me.ts";
import { Dialog } from "../ui/dialogs.tsx";
import { ProveFirst } from "./prove-first.tsx";

const PATH = "/dashboard/totp/replacement";

/** Another authenticator app, in two steps: prove the present one, then the new one. */
export function ReplaceApp() {
  const [replacement, setReplacement] = useState<Replacement>();
  return (
    <>
      <ProveFirst<Replacement>
        label="Change the authenticator"
        title="Change your authenticator app"
        lead="First prove that it is you, with the app that you have now. Have you lost it? Use a recovery code."
        confirm="Continue"
        path={PATH}
        changes={["/dashboard/second-factor"]}
        onProven={setReplacement}
      />
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
      action={confirm}
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
