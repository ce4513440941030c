import type { Card, CardWithSecrets } from "@florin/sdk";
import { Button, Group, Stack, Text } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { useCan } from "../session/use-me.ts";
import { Copy } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialogs.tsx";
import { useDialog } from "../ui/use-dialog.ts";
import classes from "./card-face.module.css";
import { expiryOf, inFours } from "./names.ts";
import { SHOWN_FOR_S, useSecrets } from "./use-secrets.ts";

export function CardFace({ card }: { card: Card }) {
  const can = useCan();
  const { secrets, secondsLeft, show, hide } = useSecrets();
  const reveal = useAction<void, CardWithSecrets>({
    run: () => call<CardWithSecrets>("GET", `/api/v1/cards/${card.cardId}/secure`),
    onDone: (data) => {
      show(data);
      dialog.onClose();
    },
    isQuiet: true,
    isSecret: true,
  });
  const dialog = useDialog();
  return (
    <Stack gap="sm" maw={360}>
      <div className={`${classes.face} ${toneOf(card)}`}>
        <div className={classes.top}>
          <span className={classes.small}>{card.type}</span>
          <span className={classes.brand}>{card.brand}</span>
        </div>
        <div className={classes.number}>{inFours(secrets?.pan ?? card.maskedPan)}</div>
        <div className={classes.bottom}>
          <span className={`${classes.small} ${classes.name}`}>{card.nameOnCard}</span>
          <span className={`${classes.small} figures`}>
            {expiryOf(card)}
            {secrets !== undefined && ` · CVV ${secrets.cvv}`}
          </span>
        </div>
      </div>
      {secrets !== undefined ? (
        <Group justify="space-between" gap="xs">
          <Group gap={4}>
            <Copy value={secrets.pan} label="card number" />
            <Text size="sm" c="dimmed" role="timer">
              Hidden again in {secondsLeft} s
            </Text>
          </Group>
          <Button size="xs" variant="default" leftSection={<IconEyeOff size={14} />} onClick={hide}>
            Hide
          </Button>
        </Group>
      ) : (
        can("cards.reveal") && (
          <Button variant="default" leftSection={<IconEye size={16} />} onClick={dialog.open}>
            Show the full number
          </Button>
        )
      )}
      <Dialog
        title="Show the full card number?"
        {...dialog}
        confirm={`Show for ${SHOWN_FOR_S} seconds`}
        action={reveal}
        onConfirm={() => reveal.mutate()}
      >
        The number and CVV appear for {SHOWN_FOR_S} seconds. That you looked is written to the audit
        log.
      </Dialog>
    </Stack>
  );
}

function toneOf({ status }: Card): string {
  if (status === "Active") return "";
  return (status === "Frozen" ? classes.frozen : classes.terminated) ?? "";
}
