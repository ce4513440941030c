import type { Card } from "@florin/sdk";
import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/client.ts";
import { setCached } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { Dialog } from "../ui/dialogs.tsx";
import { formatMoney } from "../ui/money.tsx";
import { CARD_MONEY } from "./changes.ts";
import { lastFour } from "./names.ts";

interface CardDialogProps {
  card: Card;
  isOpen: boolean;
  onClose: () => void;
}

export function StatusDialog({ card, isOpen, onClose }: CardDialogProps) {
  const isFrozen = card.status === "Frozen";
  const change = useAction<string, Card>({
    run: (verb, reference) =>
      call("POST", `/api/v1/cards/${card.cardId}/${verb}`, { body: {}, reference }),
    changes: CARD_MONEY,
    done: isFrozen ? "The card can be used again" : "The card is frozen",
    onDone: (changed) => {
      // An answer that was lost says no more than that it is done.
      if (changed.cardId === card.cardId) setCached(`/api/v1/cards/${card.cardId}`, changed);
      onClose();
    },
    isQuiet: true,
  });
  return (
    <Dialog
      title={`${isFrozen ? "Unfreeze" : "Freeze"} ${lastFour(card)}?`}
      isOpen={isOpen}
      onClose={onClose}
      confirm={isFrozen ? "Unfreeze the card" : "Freeze the card"}
      isPending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate(isFrozen ? "unfreeze" : "freeze")}
    >
      {isFrozen
        ? "Purchases, withdrawals and transfers work again at once."
        : "New purchases are declined, and nothing can be withdrawn or transferred until it is unfrozen. What is already authorized still settles. Top-ups work."}
    </Dialog>
  );
}

export function TerminateDialog({ card, isOpen, onClose }: CardDialogProps) {
  const [reason, setReason] = useState("");
  const terminate = useAction<string>({
    run: (given, reference) =>
      call("POST", `/api/v1/cards/${card.cardId}/terminate`, {
        body: given === "" ? {} : { reason: given },
        reference,
      }),
    changes: CARD_MONEY,
    done: "The card is terminated",
    onDone: onClose,
    isQuiet: true,
  });
  return (
    <Dialog
      title={`Terminate ${lastFour(card)} for good?`}
      isOpen={isOpen}
      onClose={onClose}
      confirm="Terminate the card"
      isDangerous
      isPending={terminate.isPending}
      error={terminate.error}
      onConfirm={() => terminate.mutate(reason.trim())}
    >
      <Text size="sm">
        This cannot be undone. Purchases are declined from now on.
        {card.balance > 0 &&
          !card.sharedBalance &&
          ` ${formatMoney(card.balance, card.currency)} goes back to your wallet, as soon as nothing is held.`}
      </Text>
      <TextInput
        label="Reason (optional)"
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  );
}

export function RegularizeDialog({ card, isOpen, onClose }: CardDialogProps) {
  const regularize = useAction<void>({
    run: (_input, reference) =>
      call("POST", `/api/v1/cards/${card.cardId}/regularize`, { body: {}, reference }),
    changes: CARD_MONEY,
    done: "The card stands at zero",
    onDone: onClose,
    isQuiet: true,
  });
  return (
    <Dialog
      title={`Regularize ${lastFour(card)}?`}
      isOpen={isOpen}
      onClose={onClose}
      confirm={`Pay ${formatMoney(-card.balance, card.currency)} from the wallet`}
      isPending={regularize.isPending}
      error={regularize.error}
      onConfirm={() => regularize.mutate()}
    >
      Your wallet pays what this terminated card owes. It then stands at zero, and its customer can
      get new cards again.
    </Dialog>
  );
}
