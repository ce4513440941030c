import { Button, NumberInput, Text } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/client.ts";
import type { SecretTimes } from "../api/own-types.ts";
import { useAction } from "../api/use-action.ts";
import { Dialog } from "../ui/dialogs.tsx";
import { complaintsAt } from "../ui/form-errors.ts";
import { SimpleTable } from "../ui/simple-table.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { useAtOpening } from "../ui/use-at-opening.ts";
import { useDialog } from "../ui/use-dialog.ts";

/** The secrets that count now, and until when. */
export function SecretTable({ label, secrets }: { label: string; secrets: SecretTimes[] }) {
  return (
    <SimpleTable
      label={label}
      head={["Made", "State", "Expires"]}
      rows={secrets.map(({ createdAt, expiresAt }) => ({
        key: createdAt,
        cells: [
          <Time key="t" at={createdAt} as="full" />,
          <Status
            key="s"
            value={expiresAt === null ? "Current" : "Expiring"}
            tone={expiresAt === null ? "positive" : "warning"}
          />,
          expiresAt === null ? "Never" : <Time key="e" at={expiresAt} as="full" />,
        ],
      }))}
    />
  );
}

/** Another rotation would end the secret that this dialog promised to keep for the overlap. */
const OVERTAKEN =
  "There is a newer secret by now. Close this and look at the secrets before you make another.";

/** Tells the secret from the next one. */
const currentOf = (secrets: SecretTimes[]): string | undefined =>
  secrets.find(({ expiresAt }) => expiresAt === null)?.createdAt;

/** Time enough for whoever uses the secret to follow. */
const USUAL_HOURS = 24;

interface RotateSecretProps<Given> {
  label: string;
  title: string;
  about: string;
  /** Those that count now. */
  secrets: SecretTimes[];
  maxHours: number;
  /** Where the rotation is asked for, and which data it changes. */
  path: string;
  changes: string[];
  onRotated: (given: Given) => void;
}

/** A button for a new secret, which the answer shows; the old one counts until the overlap is over. */
export function RotateSecret<Given>(props: RotateSecretProps<Given>) {
  const { label, title, about, secrets, maxHours, path, changes, onRotated } = props;
  const [overlapHours, setOverlapHours] = useState<number | string>(USUAL_HOURS);
  const rotate = useAction<number | string, Given>({
    // As it was typed: an empty field is refused, and not taken for none.
    run: (hours) => call("POST", path, { body: { overlapHours: hours } }),
    changes,
    done: "There is a new secret",
    onDone: (given) => {
      onRotated(given);
      dialog.onClose();
    },
    isQuiet: true,
    isSecret: true,
  });
  const dialog = useDialog({ reset: () => setOverlapHours(USUAL_HOURS) });
  const current = currentOf(secrets);
  const rotated = useAtOpening(dialog.isOpen, current);
  const { complaints, isAtField } = complaintsAt(rotate.error, "overlapHours");
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        {label}
      </Button>
      <Dialog
        title={title}
        {...dialog}
        confirm="Make a new secret"
        action={rotate}
        overtaken={current === rotated ? undefined : OVERTAKEN}
        isAtField={isAtField}
        onConfirm={() => rotate.mutate(overlapHours)}
      >
        <Text size="sm">{about}</Text>
        {secrets.length > 1 && (
          <Text size="sm" fw={600}>
            An earlier secret still works besides the current one. It ends as soon as you make
            another: what uses it must have the current or the new one by then.
          </Text>
        )}
        <NumberInput
          label="Overlap in hours"
          description={`0 to ${maxHours}`}
          value={overlapHours}
          onChange={setOverlapHours}
          min={0}
          max={maxHours}
          allowDecimal={false}
          error={complaints.overlapHours}
        />
      </Dialog>
    </>
  );
}
