import type { Card, MovedMoney } from "@florin/sdk";
import { Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { amountOf, checkAmount } from "../ui/amount.ts";
import { AmountField } from "../ui/amount-field.tsx";
import { Dialog } from "../ui/dialogs.tsx";
import { toFirstError } from "../ui/form-errors.ts";
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
  const form = useForm({
    initialValues: { amount: "" },
    validate: { amount: checkAmount({ currency }) },
    validateInputOnBlur: true,
  });
  const [beneficiaryCardId, setBeneficiary] = useState<string | null>(null);
  const transfer = useAction<object, MovedMoney>({
    run: (body, reference) => call("POST", "/api/v1/cards/transfers", { body, reference }),
    changes: CARD_MONEY,
    done: `Transferred: ${formatMoney(amountOf(form.values.amount), currency)}`,
    onDone: () => close(),
    isQuiet: true,
  });
  const close = () => {
    form.reset();
    setBeneficiary(null);
    transfer.reset();
    onClose();
  };
  const send = ({ amount }: typeof form.values) =>
    transfer.mutate({ sourceCardId: cardId, beneficiaryCardId, amount: amountOf(amount) });
  return (
    <Dialog
      title={`Transfer from ${lastFour(card)}`}
      isOpen={isOpen}
      onClose={close}
      confirm="Transfer"
      isPending={transfer.isPending}
      error={transfer.error}
      onConfirm={form.onSubmit(send, toFirstError(form))}
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
      <AmountField
        label={`Amount in ${currency}`}
        description={`Available on the card: ${formatMoney(card.availableBalance, currency)}`}
        {...form.getInputProps("amount")}
      />
    </Dialog>
  );
}
