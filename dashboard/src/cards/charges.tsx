import type { Card, CrossBorderCharge, Data } from "@florin/sdk";
import { Button } from "@mantine/core";
import { IconWorld } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import { resourceQuery } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { useCan } from "../session/use-me.ts";
import { Money } from "../ui/money.tsx";
import { plural } from "../ui/numbers.ts";
import { Panel } from "../ui/panel.tsx";
import { SimpleTable } from "../ui/simple-table.tsx";
import { Empty, Loaded } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { CARD_MONEY } from "./changes.ts";

export function Charges({ card }: { card: Card }) {
  const can = useCan();
  const path = `/api/v1/cards/${card.cardId}/cross-border-charges`;
  const charges = useQuery(resourceQuery<CrossBorderCharge[]>(path, { limit: 100 }));
  const reprocess = useAction<void, Data<"reprocessCrossBorderCharges">>({
    run: (_input, reference) => call("POST", `${path}/reprocess`, { body: {}, reference }),
    changes: CARD_MONEY,
    done: ({ collected, pending }) =>
      `${plural(collected.length, "charge")} collected, ${pending.length} still pending`,
  });
  const hasPending = charges.data?.some(({ status }) => status === "Pending") ?? false;
  return (
    <Panel
      title="Cross-border charges"
      lead="For purchases in another country than the card's."
      isFlush
      actions={
        hasPending &&
        can("cards.money") && (
          <Button
            size="xs"
            variant="default"
            loading={reprocess.isPending}
            onClick={() => reprocess.mutate()}
          >
            Collect what is pending
          </Button>
        )
      }
    >
      <Loaded query={charges}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={IconWorld} title="No cross-border charges" />
          ) : (
            <SimpleTable
              label="Cross-border charges"
              head={["Charged", "Amount", "Status", "Collected"]}
              rows={list.map((charge) => ({
                key: charge.chargeId,
                cells: [
                  <Time key="t" at={charge.createdAt} />,
                  <Money key="m" amount={charge.amount} currency={charge.currency} />,
                  <Status key="s" value={charge.status} />,
                  charge.collectedAt === undefined ? "–" : <Time key="c" at={charge.collectedAt} />,
                ],
              }))}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}
