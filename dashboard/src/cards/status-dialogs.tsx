import type { Card } from "@florin/sdk";
import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/client.ts";
import { setCached } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { Dialog } from "../ui/dialogs.tsx";
import { complaintsAt } from "../ui/form-errors.ts";
import { formatMoney } from "../ui/money.tsx";
import { useAtOpening } from "../ui/use-at-opening.ts";
import { CARD_MONEY } from "./changes.ts";
import { lastFour } from "./names.ts";

interface CardDialogProps {
  card: Card;
  isOpen: boolean;
  onClose: () => void;
}

type StatusChange = "freeze" | "unfreeze";

interface StatusTexts {
  name: string;
  what: string;
  done: string;
  /** Said of a card that is in one of these states by now. */
  overtaken: Partial<Record<Card["status"], string>>;
}

const TERMINATED = "The card is terminated by now.";

const TEXTS: Record<StatusChange, StatusTexts> = {
  freeze: {
    name: "Freeze",
    what: "New purchases are declined, and nothing can be withdrawn or transferred until it is unfrozen. What is already authorized still settles. Top-ups work.",
    done: "The card is frozen",
    overtaken: { Frozen: "The card is frozen already.", Terminated: TERMINATED },
  },
  unfreeze: {
    name: "Unfreeze",
    what: "Purchases, withdrawals and transfers work again at once.",
    done: "The card can be used again",
    overtaken: { Active: "The card is not frozen any more.", Terminated: TERMINATED },
  },
};

interface StatusDialogProps extends CardDialogProps {
  verb: StatusChange;
}

export function StatusDialog({ card, verb, isOpen, onClose }: StatusDialogProps) {
  const { name, what, done, overtaken } = TEXTS[verb];
  const change = useAction<void, Card>({
    run: (_input, reference) =>
      call("POST", `/api/v1/cards/${card.cardId}/${verb}`, { body: {}, reference }),
    changes: CARD_MONEY,
    done,
    onDone: (changed) => {
      // An answer that was lost says no more than that it is done.
      if (changed.cardId === card.cardId) setCached(`/api/v1/cards/${card.cardId}`, changed);
      onClose();
    },
    isQuiet: true,
  });
  return (
    <Dialog
      title={`${name} ${lastFour(card)}?`}
      isOpen={isOpen}
      onClose={onClose}
      confirm={`${name} the card`}
      action={change}
      overtaken={overtaken[card.status]}
      onConfirm={() => change.mutate()}
    >
      {what}
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
    onDone: () => close(),
    isQuiet: true,
  });
  const close = () => {
    setReason("");
    onClose();
  };
  const { complaints, isAtField } = complaintsAt(terminate.error, "reason");
  return (
    <Dialog
      title={`Terminate ${lastFour(card)} for good?`}
      isOpen={isOpen}
      onClose={close}
      confirm="Terminate the card"
      isDangerous
      action={terminate}
      overtaken={card.status === "Terminated" ? "The card is terminated already." : undefined}
      isAtField={isAtField}
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
        error={complaints.reason}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  );
}

export function RegularizeDialog({ card, isOpen, onClose }: CardDialogProps) {
  const owed = -useAtOpening(isOpen, card.balance);
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
      confirm={`Pay ${formatMoney(owed, card.currency)} from the wallet`}
      action={regularize}
      overtaken={owed === -card.balance ? undefined : owesNow(card)}
      onConfirm={() => regularize.mutate()}
    >
      Your wallet pays what this terminated card owes. It then stands at zero, and its customer can
      get new cards again.
    </Dialog>
  );
}

const owesNow = ({ balance, currency }: Card): string =>
  balance < 0
    ? `The card owes ${formatMoney(-balance, currency)} by now. Close this and open it again to pay that.`
    : "The card owes nothing any more.";
