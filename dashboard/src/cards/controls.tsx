import type { Card } from "@florin/sdk";
import { Button, Grid, NumberInput, Stack, Switch, TagsInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { useCan } from "../session/use-me.ts";
import { showFieldErrors } from "../ui/form-errors.ts";
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
  transactionLimit: cardLimits.transactionLimit ?? ("" as number | string),
  dailyLimit: cardLimits.dailyLimit ?? ("" as number | string),
  whiteListedMccs,
  blackListedMccs,
  contactlessPayment,
});

function Limits({ card }: { card: Card }) {
  const can = useCan();
  const isLocked = !can("cards.controls") || card.status === "Terminated";
  const form = useForm({ initialValues: settingsOf(card) });
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
      <form onSubmit={form.onSubmit(send)}>
        <Stack gap="md">
          {save.error !== null && <FailureAlert error={save.error} />}
          <NumberInput
            label={`Limit per transaction in ${card.currency}`}
            description="Empty: no limit"
            min={0}
            decimalScale={2}
            thousandSeparator=","
            hideControls
            readOnly={isLocked}
            {...form.getInputProps("transactionLimit")}
          />
          <NumberInput
            label={`Limit per day in ${card.currency}`}
            description="Counts from midnight UTC. Empty: no limit"
            min={0}
            decimalScale={2}
            thousandSeparator=","
            hideControls
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
  const limit = (value: number | string) => (value === "" ? null : Number(value));
  return {
    ...rest,
    cardLimits: { transactionLimit: limit(transactionLimit), dailyLimit: limit(dailyLimit) },
  };
}
