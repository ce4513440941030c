import type { Card, MovedMoney, Wallet } from "@florin/sdk";
import { Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import { resourceQuery } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { amountOf, checkAmount } from "../ui/amount.ts";
import { AmountField } from "../ui/amount-field.tsx";
import { Dialog } from "../ui/dialogs.tsx";
import { isAtField, showFieldErrors, toFirstError } from "../ui/form-errors.ts";
import { formatMoney } from "../ui/money.tsx";
import { CARD_MONEY } from "./changes.ts";
import { lastFour } from "./names.ts";

type Movement = "top-up" | "withdraw";

interface MoneyDialogProps {
  card: Card;
  movement: Movement;
  isOpen: boolean;
  onClose: () => void;
}

export function MoneyDialog({ card, movement, isOpen, onClose }: MoneyDialogProps) {
  const { cardId, currency } = card;
  const form = useForm({
    initialValues: { amount: "" },
    validate: { amount: checkAmount({ currency }) },
    validateInputOnBlur: true,
  });
  const wallets = useQuery({ ...resourceQuery<Wallet[]>("/api/v1/wallets"), enabled: isOpen });
  const wallet = wallets.data?.find((candidate) => candidate.currency === currency);
  const isTopUp = movement === "top-up";
  const move = useAction<number, MovedMoney>({
    run: (value, reference) =>
      call("POST", `/api/v1/cards/${cardId}/${movement}`, { body: { amount: value }, reference }),
    changes: CARD_MONEY,
    done: `${isTopUp ? "Topped up" : "Withdrawn"}: ${formatMoney(amountOf(form.values.amount), currency)}`,
    onDone: () => close(),
    isQuiet: true,
  });
  const close = () => {
    form.reset();
    onClose();
  };
  const send = ({ amount }: typeof form.values) =>
    move.mutate(amountOf(amount), { onError: (error) => showFieldErrors(form, error) });
  return (
    <Dialog
      title={isTopUp ? `Top up ${lastFour(card)}` : `Withdraw from ${lastFour(card)}`}
      isOpen={isOpen}
      onClose={close}
      confirm={isTopUp ? "Top up" : "Withdraw"}
      action={move}
      isAtField={isAtField(form)}
      onConfirm={form.onSubmit(send, toFirstError(form))}
    >
      <Text size="sm">
        {isTopUp
          ? "The amount leaves your wallet and is on the card at once."
          : "The amount leaves the card and is in your wallet at once. The card keeps its minimum balance."}
      </Text>
      <AmountField
        label={`Amount in ${currency}`}
        data-autofocus
        description={
          isTopUp
            ? wallet && `In the wallet: ${formatMoney(wallet.availableBalance, currency)}`
            : `Available on the card: ${formatMoney(card.availableBalance, currency)}`
        }
        {...form.getInputProps("amount")}
      />
    </Dialog>
  );
}
