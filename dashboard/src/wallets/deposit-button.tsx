import { Button, NumberInput, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { useCan, useIsSandbox } from "../session/use-me.ts";
import { Dialog } from "../ui/dialogs.tsx";
import { useDialog } from "../ui/use-dialog.ts";

/** In the sandbox money comes from nowhere; in production the operator books it. */
export function DepositButton({ currency: fixed }: { currency?: string }) {
  const isSandbox = useIsSandbox();
  const can = useCan();
  const [currency, setCurrency] = useState(fixed ?? "USD");
  const [amount, setAmount] = useState<number | string>(1000);
  const deposit = useAction<object>({
    run: (body, reference) =>
      call("POST", "/api/v1/simulator/wallets/deposits", { body, reference }),
    changes: ["/api/v1/wallets", "/dashboard/home"],
    done: "The deposit is in the wallet",
    onDone: () => dialog.onClose(),
    isQuiet: true,
  });
  const dialog = useDialog(deposit);
  if (!isSandbox || !can("sandbox")) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} />} onClick={dialog.open}>
        Sandbox deposit
      </Button>
      <Dialog
        title="Deposit sandbox money"
        {...dialog}
        confirm="Deposit"
        isPending={deposit.isPending}
        error={deposit.error}
        onConfirm={() =>
          deposit.mutate({ currency: currency.toUpperCase(), amount: Number(amount) })
        }
      >
        {fixed === undefined && (
          <TextInput
            label="Currency"
            value={currency}
            maxLength={3}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
        )}
        <NumberInput
          label={`Amount in ${currency.toUpperCase()}`}
          value={amount}
          onChange={setAmount}
          min={0}
          decimalScale={2}
          thousandSeparator=","
          hideControls
          data-autofocus
        />
      </Dialog>
    </>
  );
}
