import type { Card } from "@florin/sdk";
import {
  Alert,
  Button,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { resourceQuery } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { CustomerPicker } from "../customers/customer-picker.tsx";
import { useCan } from "../session/use-me.ts";
import { forgetRefusal, isAtField, showFieldErrors, toFirstError } from "../ui/form-errors.ts";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { FailureAlert, Loaded } from "../ui/states.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { CARD_MONEY } from "./changes.ts";
import { lastFour } from "./names.ts";
import { bodyOf, errorsOf, initialOrder, type Kind, type Order, orderBeside } from "./order.ts";
import { OrderAmounts } from "./order-amounts.tsx";
import { useOrderCurrency } from "./use-order-currency.ts";

const KINDS = [
  { value: "retail", label: "Retail" },
  { value: "corporate", label: "Corporate" },
  { value: "lite", label: "Lite" },
];

const ABOUT: Record<Exclude<Kind, "reissue">, string> = {
  retail: "For a person. Can be topped up again and again.",
  corporate: "For a business that has passed KYB. Can be topped up again and again.",
  lite: "Has a fixed balance and a number of swipes, and ends when either is used up.",
};

const AMOUNTS = ["balance", "initialBalance", "transactionLimit", "dailyLimit"];

export function IssuePage() {
  const [{ customerId, cardId }] = useFilters();
  const original = useQuery({
    ...resourceQuery<Card>(`/api/v1/cards/${cardId}`),
    enabled: cardId !== undefined,
  });
  return (
    <Page
      title={cardId === undefined ? "Issue a card" : "Re-issue a card"}
      back={{ to: "/cards", label: "Cards" }}
    >
      {cardId === undefined ? (
        <IssueForm order={initialOrder(customerId)} />
      ) : (
        <Loaded query={original}>
          {(card) => <IssueForm key={card.cardId} order={orderBeside(card)} original={card} />}
        </Loaded>
      )}
    </Page>
  );
}

function IssueForm({ order, original }: { order: Order; original?: Card }) {
  const navigate = useNavigate();
  const form = useForm<Order>({
    initialValues: order,
    validate: (values) => errorsOf({ ...values, currency }),
    validateInputOnBlur: AMOUNTS,
    onValuesChange: () => forgetRefusal(issue),
  });
  // A balance comes from the wallet, and a lite card is never without one.
  const movesMoney = useCan()("cards.money");
  const { kind, sharesBalance } = form.values;
  const { currency, choices, latest, awaited } = useOrderCurrency(form.values, original);
  const issue = useAction<Order, Card>({
    run: (values, reference) =>
      call("POST", `/api/v1/cards/${values.kind}`, { body: bodyOf(values), reference }),
    changes: CARD_MONEY,
    done: "The card is issued",
    onDone: (card) =>
      void navigate({ to: card.cardId === undefined ? "/cards" : `/cards/${card.cardId}` }),
    isQuiet: true,
  });
  const send = (values: Order) =>
    issue.mutate(
      { ...values, currency },
      { onError: (error) => showFieldErrors(form, error, "cardLimits") },
    );
  return (
    <Panel>
      <form onSubmit={form.onSubmit(send, toFirstError(form))}>
        <Stack gap="md" maw={560}>
          {issue.error !== null && (
            <FailureAlert error={issue.error} isAtField={isAtField(form, "cardLimits")} />
          )}
          {kind === "reissue" ? (
            <Alert variant="light" color="gray" role="note">
              A further card of the same customer beside {original && lastFour(original)}, which
              stays as it is.
            </Alert>
          ) : (
            <div>
              <SegmentedControl
                data={movesMoney ? KINDS : KINDS.filter(({ value }) => value !== "lite")}
                aria-label="Type of card"
                {...form.getInputProps("kind")}
              />
              <Text size="sm" c="dimmed" mt={6}>
                {ABOUT[kind]}
              </Text>
            </div>
          )}
          <CustomerPicker
            type={kind === "corporate" ? "Business" : kind === "retail" ? "Individual" : undefined}
            isFixed={kind === "reissue"}
            {...form.getInputProps("customerId")}
          />
          {choices.length > 1 && (
            <Select
              label="Currency"
              data={choices}
              allowDeselect={false}
              {...form.getInputProps("currency")}
              value={currency}
            />
          )}
          {kind === "reissue" && (
            <Switch
              label="Share the balance of the original card"
              description={
                !sharesBalance &&
                latest &&
                `It is in ${currency}, like the customer's latest card, ${lastFour(latest)}`
              }
              {...form.getInputProps("sharesBalance", { type: "checkbox" })}
              error={form.errors.cardId}
            />
          )}
          {kind === "retail" || kind === "corporate" ? (
            <TextInput
              label="Name on the card"
              description="Empty: the customer's name"
              {...form.getInputProps("nameOnCard")}
            />
          ) : null}
          {awaited === undefined ? (
            <OrderAmounts form={form} currency={currency} movesMoney={movesMoney} />
          ) : (
            <Loaded query={awaited} rows={2}>
              {() => null}
            </Loaded>
          )}
          {kind !== "lite" && (
            <Switch
              label="Contactless payments and device wallets"
              {...form.getInputProps("contactlessPayment", { type: "checkbox" })}
            />
          )}
          <Group>
            <Button type="submit" loading={issue.isPending} disabled={awaited !== undefined}>
              {kind === "reissue" ? "Re-issue the card" : "Issue the card"}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
