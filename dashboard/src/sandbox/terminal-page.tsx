import type { DecidedTransaction, Transaction } from "@florin/sdk";
import { Anchor, Button, Grid, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconShoppingCart } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../api/client.ts";
import { resourceQuery } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { CardPicker } from "../cards/card-picker.tsx";
import { CARD_MONEY } from "../cards/changes.ts";
import { DecisionTrace } from "../transactions/decision-trace.tsx";
import { Verdict } from "../transactions/verdict.tsx";
import { amountOf, checkAmount } from "../ui/amount.ts";
import { AmountField } from "../ui/amount-field.tsx";
import { forgetRefusal, isAtField, showFieldErrors, toFirstError } from "../ui/form-errors.ts";
import { Money } from "../ui/money.tsx";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { SideBySide } from "../ui/side-by-side.tsx";
import { Empty, FailureAlert } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { MERCHANTS } from "./merchants.ts";
import { NetworkActions } from "./network-actions.tsx";

export function TerminalPage() {
  const [bought, setBought] = useState<DecidedTransaction>();
  return (
    <Page
      title="Virtual terminal"
      lead="Buy something with a sandbox card, as a shop would: the request takes the same way as one from a card network."
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Panel title="Purchase">
            <PurchaseForm onBought={setBought} />
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          {bought === undefined ? (
            <Panel title="Answer">
              <Empty icon={IconShoppingCart} title="Nothing bought yet">
                The decision appears here, with every check that was made.
              </Empty>
            </Panel>
          ) : (
            <Answer bought={bought} />
          )}
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function PurchaseForm({ onBought }: { onBought: (bought: DecidedTransaction) => void }) {
  const [{ cardId = "" }] = useFilters();
  const form = useForm({
    initialValues: {
      cardId,
      amount: "25",
      currency: "USD",
      requestType: "Authorization",
      entryMode: "Ecommerce",
      merchant: MERCHANTS[0]?.merchant.mid ?? "",
      cvv: "",
    },
    validate: {
      amount: (amount, { currency }) => checkAmount({ currency, mayBeZero: true })(amount),
    },
    validateInputOnBlur: ["amount"],
    onValuesChange: () => forgetRefusal(buy),
  });
  const buy = useAction<typeof form.values, DecidedTransaction>({
    run: (values, reference) =>
      call("POST", "/api/v1/simulator/authorizations", { body: bodyOf(values), reference }),
    recover: (transactionId) => call("GET", `/api/v1/transactions/${transactionId}`),
    changes: [...CARD_MONEY, "/api/v1/events"],
    onDone: onBought,
    isQuiet: true,
  });
  const send = (values: typeof form.values) =>
    buy.mutate(values, { onError: (error) => showFieldErrors(form, error) });
  const { cardId: picked } = form.values;
  return (
    <form onSubmit={form.onSubmit(send, toFirstError(form))}>
      <Stack gap="md">
        {buy.error !== null && <FailureAlert error={buy.error} isAtField={isAtField(form)} />}
        <CardPicker
          label="Card"
          value={picked === "" ? null : picked}
          onChange={(value) => form.setFieldValue("cardId", value ?? "")}
          error={form.errors.cardId}
        />
        <SideBySide>
          <AmountField label="Amount" {...form.getInputProps("amount")} />
          <TextInput label="Currency" maxLength={3} {...form.getInputProps("currency")} />
        </SideBySide>
        <NativeSelect
          label="Merchant"
          data={MERCHANTS.map(({ label, merchant }) => ({ value: merchant.mid, label }))}
          {...form.getInputProps("merchant")}
        />
        <SideBySide>
          <NativeSelect
            label="Kind"
            data={[
              { value: "Authorization", label: "Purchase" },
              { value: "PreAuthorization", label: "Pre-authorization" },
              { value: "CashWithdrawal", label: "Cash withdrawal" },
            ]}
            {...form.getInputProps("requestType")}
          />
          <NativeSelect
            label="How the card is used"
            data={[
              { value: "Ecommerce", label: "Online" },
              { value: "Chip", label: "Chip" },
              { value: "MagStripe", label: "Magnetic stripe" },
              { value: "Contactless", label: "Contactless" },
              { value: "DeviceWallet", label: "Device wallet" },
            ]}
            {...form.getInputProps("entryMode")}
          />
        </SideBySide>
        <TextInput
          label="CVV as entered (optional)"
          description="Empty: not checked"
          maxLength={4}
          autoComplete="off"
          {...form.getInputProps("cvv")}
        />
        <Button type="submit" loading={buy.isPending} disabled={picked === ""}>
          Buy
        </Button>
      </Stack>
    </form>
  );
}

interface Purchase {
  cardId: string;
  amount: string;
  currency: string;
  requestType: string;
  entryMode: string;
  merchant: string;
  cvv: string;
}

function bodyOf({ amount, merchant, cvv, currency, ...rest }: Purchase): object {
  const shop = MERCHANTS.find((candidate) => candidate.merchant.mid === merchant)?.merchant;
  return {
    ...rest,
    amount: amountOf(amount),
    currency: currency.toUpperCase(),
    ...(shop === undefined ? {} : { merchant: shop }),
    ...(cvv === "" ? {} : { cvv }),
  };
}

function Answer({ bought }: { bought: DecidedTransaction }) {
  const now = useQuery(resourceQuery<Transaction>(`/api/v1/transactions/${bought.transactionId}`));
  const transaction = now.data ?? bought;
  return (
    <Stack gap="lg" aria-live="polite">
      <Panel title="Answer" actions={<NetworkActions transaction={transaction} />}>
        <Group justify="space-between">
          <Text fz={26} fw={600}>
            <Money amount={transaction.amount} currency={transaction.currency} />
          </Text>
          <Status
            value={transaction.approved ? "Approved" : "Declined"}
            tone={transaction.approved ? "positive" : "negative"}
          />
        </Group>
        <Text size="sm" c="dimmed" mb="sm">
          Code {transaction.responseCode}: {transaction.responseMessage}
        </Text>
        <Anchor component={Link} to={`/transactions/${transaction.transactionId}`} size="sm">
          Open the transaction
        </Anchor>
      </Panel>
      <Verdict transaction={transaction} />
      {bought.decision !== undefined && <DecisionTrace decision={bought.decision} />}
    </Stack>
  );
}
