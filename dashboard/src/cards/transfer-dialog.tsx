import type { Card, MovedMoney } from "@florin/sdk";
import { NumberInput, Text } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { Dialog } from "../ui/dialogs.tsx";
import { formatMoney } from "../ui/money.tsx";
import { CardPicker } from "./card-picker.tsx";
import { CARD_MONEY } from "./changes.ts";
import { lastFour } from "./names.ts";

interface TransferDialogProps {
  card: Card;
  isOpen: boolean;
  onClose: () => void;
}

export function TransferDialog({ card, isOpen, onClose }: TransferDialogProps) {
  const { cardId, currency } = card;
  const [amount, setAmount] = useState<number | string>("");
  const [beneficiaryCardId, setBeneficiary] = useState<string | null>(null);
  const transfer = useAction<object, MovedMoney>({
    run: (body, reference) => call("POST", "/api/v1/cards/transfers", { body, reference }),
    changes: CARD_MONEY,
    done: `Transferred: ${formatMoney(Number(amount), currency)}`,
    onDone: () => close(),
    isQuiet: true,
  });
  const close = () => {
    setAmount("");
    setBeneficiary(null);
    transfer.reset();
    onClose();
  };
  return (
    <Dialog
      title={`Transfer from ${lastFour(card)}`}
      isOpen={isOpen}
      onClose={close}
      confirm="Transfer"
      isPending={transfer.isPending}
      error={transfer.error}
      onConfirm={() =>
        transfer.mutate({ sourceCardId: cardId, beneficiaryCardId, amount: Number(amount) })
      }
    >
      <Text size="sm">The amount moves from this card to the other one at once.</Text>
      <CardPicker
        label="To which card"
        value={beneficiaryCardId}
        onChange={setBeneficiary}
        accepts={(other) =>
          other.cardId !== cardId && other.currency === currency && other.type !== "Lite"
        }
      />
      <NumberInput
        label={`Amount in ${currency}`}
        value={amount}
        onChange={setAmount}
        min={0}
        decimalScale={2}
        thousandSeparator=","
        hideControls
        description={`Available on the card: ${formatMoney(card.availableBalance, currency)}`}
      />
    </Dialog>
  );
}
