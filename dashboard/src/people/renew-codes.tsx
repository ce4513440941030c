import { Modal, Text } from "@mantine/core";
import { useState } from "react";
import { RecoveryCodes } from "../session/recovery-codes.tsx";
import { refreshMe } from "../session/use-me.ts";
import { useFocusBack } from "../ui/use-focus-back.ts";
import { ProveFirst } from "./prove-first.tsx";

/** New recovery codes for whoever has used most of them, or left them where others may look. */
export function RenewCodes() {
  const [codes, setCodes] = useState<string[]>();
  useFocusBack(codes !== undefined);
  return (
    <>
      <ProveFirst<{ recoveryCodes: string[] }>
        label="Renew the recovery codes"
        title="Renew your recovery codes"
        lead="You get ten new codes; those from before stop working. Prove first that it is you."
        confirm="Make new codes"
        path="/dashboard/recovery-codes"
        changes={["/dashboard/second-factor", "/dashboard/sessions"]}
        onProven={({ recoveryCodes }) => {
          setCodes(recoveryCodes);
          void refreshMe();
        }}
      />
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
