import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPlus } from "@tabler/icons-react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { useCan, useIsSandbox } from "../session/use-me.ts";
import { amountOf, checkAmount } from "../ui/amount.ts";
import { AmountField } from "../ui/amount-field.tsx";
import { Dialog } from "../ui/dialogs.tsx";
import { isAtField, showFieldErrors, toFirstError } from "../ui/form-errors.ts";
import { useDialog } from "../ui/use-dialog.ts";

/** In the sandbox money comes from nowhere; in production the operator books it. */
export function DepositButton({ currency: fixed }: { currency?: string }) {
  const isSandbox = useIsSandbox();
  const can = useCan();
  const form = useForm({
    initialValues: { currency: fixed ?? "USD", amount: "1000" },
    validate: { amount: (amount, { currency }) => checkAmount({ currency })(amount) },
    validateInputOnBlur: ["amount"],
  });
  const deposit = useAction<object>({
    run: (body, reference) =>
      call("POST", "/api/v1/simulator/wallets/deposits", { body, reference }),
    changes: ["/api/v1/wallets", "/dashboard/home"],
    done: "The deposit is in the wallet",
    onDone: () => dialog.onClose(),
    isQuiet: true,
  });
  const dialog = useDialog(form);
  if (!isSandbox || !can("sandbox")) return null;
  const send = ({ currency, amount }: typeof form.values) =>
    deposit.mutate(
      { currency: currency.toUpperCase(), amount: amountOf(amount) },
      { onError: (error) => showFieldErrors(form, error) },
    );
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} />} onClick={dialog.open}>
        Sandbox deposit
      </Button>
      <Dialog
        title="Deposit sandbox money"
        {...dialog}
        confirm="Deposit"
        action={deposit}
        isAtField={isAtField(form)}
        onConfirm={form.onSubmit(send, toFirstError(form))}
      >
        {fixed === undefined && (
          <TextInput label="Currency" maxLength={3} {...form.getInputProps("currency")} />
        )}
        <AmountField
          label={`Amount in ${form.values.currency.toUpperCase()}`}
          data-autofocus
          {...form.getInputProps("amount")}
        />
      </Dialog>
    </>
  );
}
