import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import {
  bodyOf,
  NO_SECOND_FACTOR,
  OtherSecondFactor,
  type SecondFactor,
  SecondFactorField,
} from "../session/second-factor-field.tsx";
import { Dialog } from "../ui/dialogs.tsx";
import { useDialog } from "../ui/use-dialog.ts";

interface ProveFirstProps<Given> {
  label: string;
  title: string;
  lead: string;
  confirm: string;
  /** Where the second factor is sent, and which data that changes. */
  path: string;
  changes: string[];
  onProven: (given: Given) => void;
}

/** A button for what is done only once somebody has proven with the second factor that it is them. */
export function ProveFirst<Given>(props: ProveFirstProps<Given>) {
  const { label, title, lead, confirm, path, changes, onProven } = props;
  const [factor, setFactor] = useState(NO_SECOND_FACTOR);
  const prove = useAction<SecondFactor, Given>({
    run: (entered) => call("POST", path, { body: bodyOf(entered) }),
    changes,
    onDone: (given) => {
      dialog.onClose();
      setFactor(NO_SECOND_FACTOR);
      onProven(given);
    },
    isQuiet: true,
    isSecret: true,
  });
  const dialog = useDialog({ reset: () => setFactor(NO_SECOND_FACTOR) });
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        {label}
      </Button>
      <Dialog
        title={title}
        {...dialog}
        confirm={confirm}
        action={prove}
        onConfirm={() => prove.mutate(factor)}
      >
        <Text size="sm">{lead}</Text>
        <SecondFactorField value={factor} onChange={setFactor} />
        <OtherSecondFactor value={factor} onChange={setFactor} />
      </Dialog>
    </>
  );
}
