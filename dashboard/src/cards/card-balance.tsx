import type { Card } from "@florin/sdk";
import { Alert, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Facts } from "../ui/facts.tsx";
import { Money } from "../ui/money.tsx";
import { Panel } from "../ui/panel.tsx";

export function CardBalance({ card }: { card: Card }) {
  const { currency, cardLimits } = card;
  const limit = (amount: number | undefined) =>
    amount === undefined ? "None" : <Money amount={amount} currency={currency} />;
  return (
    <Panel title="Balance" isTall>
      <Text component="div" fz={30} fw={600} lh={1.2}>
        <Money amount={card.availableBalance} currency={currency} withCode />
      </Text>
      <Text size="sm" c="dimmed" mb="md">
        Available to spend
      </Text>
      <Facts
        length="short"
        facts={[
          ["Balance", <Money key="b" amount={card.balance} currency={currency} />],
          ["Held for purchases", <Money key="h" amount={card.heldAmount} currency={currency} />],
          ["Limit per transaction", limit(cardLimits.transactionLimit)],
          ["Limit per day", limit(cardLimits.dailyLimit)],
          card.swipeCount !== undefined && [
            "Swipes",
            `${card.swipesUsed ?? 0} of ${card.swipeCount} used`,
          ],
        ]}
      />
      {card.sharedBalance && (
        <Text size="sm" c="dimmed" mt="md">
          This balance is shared with another card of the same customer.
        </Text>
      )}
      {card.balance < 0 && (
        <Alert mt="md" color="red" variant="light" icon={<IconAlertTriangle size={18} />}>
          {card.status === "Terminated"
            ? "This terminated card is below zero. Regularize it from the wallet; until then its customer gets no new card."
            : "This card is below zero. Top it up; until then its customer gets no new card."}
        </Alert>
      )}
    </Panel>
  );
}
