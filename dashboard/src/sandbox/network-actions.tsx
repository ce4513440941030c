import type { MovedMoney, Transaction } from "@florin/sdk";
import { Button, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { CARD_MONEY } from "../cards/changes.ts";
import { useCan, useIsSandbox } from "../session/use-me.ts";
import { amountOf, checkAmount } from "../ui/amount.ts";
import { AmountField } from "../ui/amount-field.tsx";
import { Dialog } from "../ui/dialogs.tsx";
import { isAtField, showFieldErrors, toFirstError } from "../ui/form-errors.ts";
import { formatMoney } from "../ui/money.tsx";
import { type Verb, verbsFor } from "./network-verbs.ts";

const TEXTS: Record<Verb, { title: string; button: string; what: string; overtaken: string }> = {
  settle: {
    title: "Settle this purchase",
    button: "Settle",
    what: "The merchant takes the money. What is held beyond the amount is released.",
    overtaken: "Nothing is held for this purchase any more.",
  },
  reverse: {
    title: "Reverse this purchase",
    button: "Reverse",
    what: "The merchant gives up the money, or a part of it, before it was taken.",
    overtaken: "Nothing is held for this purchase any more.",
  },
  refund: {
    title: "Refund this purchase",
    button: "Refund",
    what: "The merchant returns the money, or a part of it, after it was taken.",
    overtaken: "All of this purchase is refunded already.",
  },
};

/** Plays the card network's part with a purchase; in production the network does it itself. */
export function NetworkActions({ transaction }: { transaction: Transaction }) {
  const isSandbox = useIsSandbox();
  const can = useCan();
  const [verb, setVerb] = useState<Verb>();
  if (!isSandbox || !can("sandbox")) return null;
  const verbs = verbsFor(transaction);
  return (
    <>
      {verbs.map((each, index) => (
        <Button
          key={each}
          variant={index === 0 ? "filled" : "default"}
          onClick={() => setVerb(each)}
        >
          {TEXTS[each].button}
        </Button>
      ))}
      {verb !== undefined && (
        <NetworkDialog
          key={verb}
          transaction={transaction}
          verb={verb}
          onClose={() => setVerb(undefined)}
        />
      )}
    </>
  );
}

interface NetworkDialogProps {
  transaction: Transaction;
  verb: Verb;
  onClose: () => void;
}

function NetworkDialog({ transaction, verb, onClose }: NetworkDialogProps) {
  const { transactionId, currency, amount: whole } = transaction;
  const form = useForm({
    initialValues: { amount: "" },
    validate: { amount: checkAmount({ currency, isOptional: true }) },
    validateInputOnBlur: true,
  });
  const act = useAction<typeof form.values, MovedMoney>({
    run: ({ amount }, reference) =>
      call("POST", `/api/v1/simulator/transactions/${transactionId}/${verb}`, {
        body: amount.trim() === "" ? {} : { amount: amountOf(amount) },
        reference,
      }),
    changes: [...CARD_MONEY, "/api/v1/events"],
    done: "The network has told the service",
    onDone: onClose,
    isQuiet: true,
  });
  const { title, button, what, overtaken } = TEXTS[verb];
  const send = (values: typeof form.values) =>
    act.mutate(values, { onError: (error) => showFieldErrors(form, error) });
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      confirm={button}
      action={act}
      overtaken={verbsFor(transaction).includes(verb) ? undefined : overtaken}
      isAtField={isAtField(form)}
      onConfirm={form.onSubmit(send, toFirstError(form))}
    >
      <Text size="sm">{what}</Text>
      <AmountField
        label={`Amount in ${currency}`}
        description={`Empty: all of it. The purchase was ${formatMoney(whole, currency)}.`}
        {...form.getInputProps("amount")}
      />
    </Dialog>
  );
}
