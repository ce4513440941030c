import { Button, Modal, Text } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { RecoveryCodes } from "../session/recovery-codes.tsx";
import {
  bodyOf,
  NO_SECOND_FACTOR,
  OtherSecondFactor,
  type SecondFactor,
  SecondFactorField,
} from "../session/second-factor-field.tsx";
import { refreshMe } from "../session/use-me.ts";
import { Dialog } from "../ui/dialogs.tsx";
import { useDialog } from "../ui/use-dialog.ts";
import { useFocusBack } from "../ui/use-focus-back.ts";

/** New recovery codes for whoever has used most of them, or left them where others may look. */
export function RenewCodes() {
  const [given, setGiven] = useState(NO_SECOND_FACTOR);
  const [codes, setCodes] = useState<string[]>();
  const renew = useAction<SecondFactor, { recoveryCodes: string[] }>({
    run: (factor) => call("POST", "/dashboard/recovery-codes", { body: bodyOf(factor) }),
    changes: ["/dashboard/second-factor", "/dashboard/sessions"],
    onDone: ({ recoveryCodes }) => {
      setCodes(recoveryCodes);
      setGiven(NO_SECOND_FACTOR);
      dialog.onClose();
      void refreshMe();
    },
    isQuiet: true,
    isSecret: true,
  });
  const dialog = useDialog(renew);
  useFocusBack(codes !== undefined);
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        Renew the recovery codes
      </Button>
      <Dialog
        title="Renew your recovery codes"
        {...dialog}
        confirm="Make new codes"
        isPending={renew.isPending}
        error={renew.error}
        onConfirm={() => renew.mutate(given)}
      >
        <Text size="sm">
          You get ten new codes; those from before stop working. Prove first that it is you.
        </Text>
        <SecondFactorField value={given} onChange={setGiven} />
        <OtherSecondFactor value={given} onChange={setGiven} />
      </Dialog>
      <Modal
        opened={codes !== undefined}
        onClose={() => undefined}
        title={<Text fw={600}>Your new recovery codes</Text>}
        returnFocus={false}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
      >
        <RecoveryCodes
          lead="The codes from before do not work any more."
          codes={codes ?? []}
          onKept={() => setCodes(undefined)}
        />
      </Modal>
    </>
  );
}
