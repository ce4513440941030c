import type { Card, MovedMoney } from "@florin/sdk";
import { Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { amountOf, checkAmount } from "../ui/amount.ts";
import { AmountField } from "../ui/amount-field.tsx";
import { Dialog } from "../ui/dialogs.tsx";
import { isAtField, showFieldErrors, toFirstError } from "../ui/form-errors.ts";
import { formatMoney } from "../ui/money.tsx";
import { CardPicker } from "./card-picker.tsx";
import { CARD_MONEY } from "./changes.ts";
import { lastFour } from "./names.ts";
import { canReceive } from "./possible-actions.ts";

interface TransferDialogProps {
  card: Card;
  isOpen: boolean;
  onClose: () => void;
}

export function TransferDialog({ card, isOpen, onClose }: TransferDialogProps) {
  const { cardId, currency } = card;
  const form = useForm({
    initialValues: { beneficiaryCardId: "", amount: "" },
    validate: {
      beneficiaryCardId: (chosen) => (chosen === "" ? "Choose a card" : null),
      amount: checkAmount({ currency }),
    },
    validateInputOnBlur: ["amount"],
  });
  const transfer = useAction<object, MovedMoney>({
    run: (body, reference) => call("POST", "/api/v1/cards/transfers", { body, reference }),
    changes: CARD_MONEY,
    done: `Transferred: ${formatMoney(amountOf(form.values.amount), currency)}`,
    onDone: () => close(),
    isQuiet: true,
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const { beneficiaryCardId } = form.values;
  const send = ({ amount, ...rest }: typeof form.values) =>
    transfer.mutate(
      { sourceCardId: cardId, ...rest, amount: amountOf(amount) },
      { onError: (error) => showFieldErrors(form, error) },
    );
  return (
    <Dialog
      title={`Transfer from ${lastFour(card)}`}
      isOpen={isOpen}
      onClose={close}
      confirm="Transfer"
      action={transfer}
      isAtField={isAtField(form)}
      onConfirm={form.onSubmit(send, toFirstError(form))}
    >
      <Text size="sm">The amount moves from this card to the other one at once.</Text>
      <CardPicker
        label="To which card"
        value={beneficiaryCardId === "" ? null : beneficiaryCardId}
        onChange={(value) => form.setFieldValue("beneficiaryCardId", value ?? "")}
        error={form.errors.beneficiaryCardId}
        accepts={(other) => canReceive(card, other)}
      />
      <AmountField
        label={`Amount in ${currency}`}
        description={`Available on the card: ${formatMoney(card.availableBalance, currency)}`}
        {...form.getInputProps("amount")}
      />
    </Dialog>
  );
}
