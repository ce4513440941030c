import type { Card } from "@florin/sdk";
import { Button, Grid, Stack, Switch, TagsInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { useCan } from "../session/use-me.ts";
import { amountOf, checkAmount } from "../ui/amount.ts";
import { AmountField } from "../ui/amount-field.tsx";
import { forgetRefusal, isAtField, showFieldErrors, toFirstError } from "../ui/form-errors.ts";
import { Panel } from "../ui/panel.tsx";
import { FailureAlert } from "../ui/states.tsx";
import { Merchants } from "./merchants.tsx";

export function Controls({ card }: { card: Card }) {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Limits key={JSON.stringify(settingsOf(card))} card={card} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Merchants card={card} />
      </Grid.Col>
    </Grid>
  );
}

const settingsOf = ({
  cardLimits,
  whiteListedMccs,
  blackListedMccs,
  contactlessPayment,
}: Card) => ({
  transactionLimit: String(cardLimits.transactionLimit ?? ""),
  dailyLimit: String(cardLimits.dailyLimit ?? ""),
  whiteListedMccs,
  blackListedMccs,
  contactlessPayment,
});

function Limits({ card }: { card: Card }) {
  const can = useCan();
  const isLocked = !can("cards.controls") || card.status === "Terminated";
  const checkLimit = checkAmount({ currency: card.currency, isOptional: true });
  const form = useForm({
    initialValues: settingsOf(card),
    validate: { transactionLimit: checkLimit, dailyLimit: checkLimit },
    validateInputOnBlur: ["transactionLimit", "dailyLimit"],
    onValuesChange: () => forgetRefusal(save),
  });
  const save = useAction<typeof form.values>({
    run: (values, reference) =>
      call("PATCH", `/api/v1/cards/${card.cardId}`, { body: bodyOf(values), reference }),
    changes: ["/api/v1/cards"],
    done: "The controls are saved",
    isQuiet: true,
  });
  const send = (values: typeof form.values) =>
    save.mutate(values, { onError: (error) => showFieldErrors(form, error, "cardLimits") });
  return (
    <Panel title="Limits and categories">
      <form onSubmit={form.onSubmit(send, toFirstError(form))}>
        <Stack gap="md">
          {save.error !== null && (
            <FailureAlert error={save.error} isAtField={isAtField(form, "cardLimits")} />
          )}
          <AmountField
            label={`Limit per transaction in ${card.currency}`}
            description="Empty: no limit"
            readOnly={isLocked}
            {...form.getInputProps("transactionLimit")}
          />
          <AmountField
            label={`Limit per day in ${card.currency}`}
            description="Counts from midnight UTC. Empty: no limit"
            readOnly={isLocked}
            {...form.getInputProps("dailyLimit")}
          />
          <TagsInput
            label="Only these merchant categories (MCC)"
            description="Four digits each, Enter after each. Empty: all are allowed"
            readOnly={isLocked}
            {...form.getInputProps("whiteListedMccs")}
          />
          <TagsInput
            label="Never these merchant categories (MCC)"
            description="Ignored while there is a list of allowed ones"
            readOnly={isLocked}
            {...form.getInputProps("blackListedMccs")}
          />
          <Switch
            label="Contactless payments and device wallets"
            disabled={isLocked}
            {...form.getInputProps("contactlessPayment", { type: "checkbox" })}
          />
          {!isLocked && (
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              Save the controls
            </Button>
          )}
        </Stack>
      </form>
    </Panel>
  );
}

function bodyOf({ transactionLimit, dailyLimit, ...rest }: ReturnType<typeof settingsOf>) {
  const limit = (typed: string) => (typed.trim() === "" ? null : amountOf(typed));
  return {
    ...rest,
    cardLimits: { transactionLimit: limit(transactionLimit), dailyLimit: limit(dailyLimit) },
  };
}
