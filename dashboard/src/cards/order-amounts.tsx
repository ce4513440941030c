import type { Wallet } from "@florin/sdk";
import { NumberInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { resourceQuery } from "../api/queries.ts";
import { AmountField } from "../ui/amount-field.tsx";
import { formatMoney } from "../ui/money.tsx";
import { SideBySide } from "../ui/side-by-side.tsx";
import type { Order } from "./order.ts";

interface OrderAmountsProps {
  form: UseFormReturnType<Order>;
  currency: string;
  /** A balance comes from the wallet. */
  movesMoney: boolean;
}

/** What a card has at first, and how much of it may be spent. */
export function OrderAmounts({ form, currency, movesMoney }: OrderAmountsProps) {
  const { kind, sharesBalance } = form.values;
  const wallets = useQuery(resourceQuery<Wallet[]>("/api/v1/wallets"));
  const wallet = wallets.data?.find((candidate) => candidate.currency === currency);
  const fromWallet = wallet
    ? `In the wallet: ${formatMoney(wallet.availableBalance, currency)}`
    : wallets.data && `There is no wallet in ${currency} yet`;
  return (
    <>
      {movesMoney && !(kind === "reissue" && sharesBalance) && (
        <AmountField
          label={`${kind === "lite" ? "Balance" : "Initial balance"} in ${currency}`}
          description={fromWallet}
          {...form.getInputProps(kind === "lite" ? "balance" : "initialBalance")}
        />
      )}
      {kind === "lite" && (
        <NumberInput
          label="Swipes"
          min={1}
          allowDecimal={false}
          {...form.getInputProps("swipeCount")}
        />
      )}
      <SideBySide>
        <AmountField
          label={`Limit per transaction in ${currency}`}
          placeholder="None"
          {...form.getInputProps("transactionLimit")}
        />
        <AmountField
          label={`Limit per day in ${currency}`}
          placeholder="None"
          {...form.getInputProps("dailyLimit")}
        />
      </SideBySide>
    </>
  );
}
