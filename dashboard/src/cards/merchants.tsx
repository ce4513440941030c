import type { Card, MerchantOutcome } from "@florin/sdk";
import { ActionIcon, Button, Divider, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { useCan } from "../session/use-me.ts";
import { Panel } from "../ui/panel.tsx";
import { refusedIn, sayRefused, sayTaken } from "./merchant-outcomes.ts";

export function Merchants({ card }: { card: Card }) {
  return (
    <Panel title="Merchants" lead="By merchant id (MID).">
      <Stack gap="lg">
        <MerchantList
          card={card}
          kind="whitelist"
          title="Only at these merchants"
          none="No restriction: the card works everywhere that is not blocked."
          mids={card.merchantWhitelist}
        />
        <Divider />
        <MerchantList
          card={card}
          kind="blacklist"
          title="Never at these merchants"
          none="No merchant is blocked."
          mids={card.merchantBlacklist}
        />
      </Stack>
    </Panel>
  );
}

interface MerchantListProps {
  card: Card;
  kind: "whitelist" | "blacklist";
  title: string;
  none: string;
  mids: string[];
}

function MerchantList({ card, kind, title, none, mids }: MerchantListProps) {
  const can = useCan();
  const [entered, setEntered] = useState("");
  const [refused, setRefused] = useState<string[]>([]);
  const isLocked = !can("cards.controls") || card.status === "Terminated";
  const change = useMerchantChange(card.cardId);
  // Only what was refused is left to be mended.
  const keep = (left: string[]) => {
    setRefused(left);
    setEntered(left.join(", "));
  };
  const type = (text: string) => {
    setRefused([]);
    setEntered(text);
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    const list = entered.split(/[\s,;]+/).filter((mid) => mid !== "");
    if (list.length === 0) return;
    change.mutate(
      { verb: kind, mids: list },
      { onSuccess: (outcomes) => keep(refusedIn(outcomes)) },
    );
  };
  return (
    <Stack gap="xs">
      <Text fw={500} size="sm">
        {title}
      </Text>
      {mids.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {mids.map((mid) => (
        <Group key={mid} justify="space-between" gap="xs">
          <code className="mono">{mid}</code>
          {!isLocked && (
            <Group gap={4}>
              {kind === "blacklist" && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-label={`Let ${mid} pass once`}
                  onClick={() => change.mutate({ verb: "one-time-unblock", mids: [mid] })}
                >
                  Let pass once
                </Button>
              )}
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={`Remove ${mid}`}
                onClick={() => change.mutate({ verb: `${kind}/remove`, mids: [mid] })}
              >
                <IconX size={14} />
              </ActionIcon>
            </Group>
          )}
        </Group>
      ))}
      {!isLocked && (
        <form onSubmit={add}>
          <Group gap="xs" align="flex-start" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={`${title}: merchant ids to add`}
              placeholder="MID, or several"
              value={entered}
              onChange={(event) => type(event.currentTarget.value)}
              error={refused.length > 0 && sayRefused(refused)}
              errorProps={{ role: "alert" }}
            />
            <Button type="submit" variant="default" loading={change.isPending}>
              Add
            </Button>
          </Group>
        </form>
      )}
    </Stack>
  );
}

function useMerchantChange(cardId: string) {
  return useAction<{ verb: string; mids: string[] }, MerchantOutcome[]>({
    run: ({ verb, mids }, reference) =>
      call("POST", `/api/v1/cards/${cardId}/merchants/${verb}`, { body: { mids }, reference }),
    changes: ["/api/v1/cards"],
    done: sayTaken,
  });
}
