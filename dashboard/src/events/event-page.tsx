import type { EventWithAttempts, WebhookEndpoint } from "@florin/sdk";
import { Anchor, Button, Code, Grid, Group, Stack, Text } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { call } from "../api/client.ts";
import { resourceQuery } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { useCan } from "../session/use-me.ts";
import { CopyText } from "../ui/copy.tsx";
import { Facts } from "../ui/facts.tsx";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { SimpleTable } from "../ui/simple-table.tsx";
import { Loaded } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";

const LOOK_AGAIN_MS = 1500;

/** No event tells that a delivery was attempted, so that the page looks until all are done with. */
const isUnderWay = (event: EventWithAttempts | undefined): boolean =>
  event?.deliveries.some(({ status }) => status === "Pending") ?? false;

export function EventPage() {
  const { eventId = "" } = useParams({ strict: false });
  const can = useCan();
  const event = useQuery({
    ...resourceQuery<EventWithAttempts>(`/api/v1/events/${eventId}`),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? LOOK_AGAIN_MS : false),
  });
  const resend = useAction<void>({
    run: (_input, reference) =>
      call("POST", `/api/v1/events/${eventId}/resend`, { body: {}, reference }),
    changes: ["/api/v1/events", "/dashboard/webhook-endpoints"],
    done: "The event is on its way to every endpoint that wants it",
  });
  return (
    <Page
      title={event.data?.eventType ?? "Event"}
      back={{ to: "/events", label: "Events" }}
      actions={
        can("webhooks") && (
          <Button
            variant="default"
            leftSection={<IconSend size={16} />}
            loading={resend.isPending}
            onClick={() => resend.mutate()}
          >
            Send again
          </Button>
        )
      }
    >
      <Loaded query={event}>
        {(data) => (
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, lg: 6 }}>
              <Panel title="What was said">
                <Stack gap="md">
                  <EventFacts event={data} />
                  <Code block tabIndex={0}>
                    {JSON.stringify(data.data, null, 2)}
                  </Code>
                </Stack>
              </Panel>
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 6 }}>
              <Deliveries event={data} />
            </Grid.Col>
          </Grid>
        )}
      </Loaded>
    </Page>
  );
}

function EventFacts({ event }: { event: EventWithAttempts }) {
  const { transactionId, cardId } = event.data;
  return (
    <Facts
      facts={[
        ["Event id", <CopyText key="i" value={event.eventId} label="event id" />],
        ["When", <Time key="t" at={event.createdAt} as="full" />],
        event.sequence !== null && ["Sequence of the card", event.sequence],
        event.clientReference !== undefined && ["Your reference", event.clientReference],
        typeof transactionId === "string" && [
          "Transaction",
          <Anchor key="x" component={Link} to={`/transactions/${transactionId}`} size="sm">
            Open the transaction
          </Anchor>,
        ],
        typeof cardId === "string" && [
          "Card",
          <Anchor key="c" component={Link} to={`/cards/${cardId}`} size="sm">
            Open the card
          </Anchor>,
        ],
      ]}
    />
  );
}

function Deliveries({ event }: { event: EventWithAttempts }) {
  const endpoints = useQuery(
    resourceQuery<WebhookEndpoint[]>("/api/v1/webhook-endpoints", { limit: 100 }),
  );
  const urlOf = (id: string) =>
    endpoints.data?.find(({ webhookEndpointId }) => webhookEndpointId === id)?.url ?? id;
  return (
    <Panel title="Deliveries" isFlush>
      {event.deliveries.length === 0 && event.attempts.length === 0 ? (
        <Text size="sm" c="dimmed" p="lg">
          No webhook endpoint wanted this event.
        </Text>
      ) : (
        <>
          <Stack gap="sm" p="lg">
            {event.deliveries.map(({ webhookEndpointId, status, nextAttemptAt }) => (
              <Group key={webhookEndpointId} justify="space-between" gap="xs">
                <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                  {urlOf(webhookEndpointId)}
                </Text>
                <Group gap="xs">
                  {nextAttemptAt !== undefined && (
                    <Text size="xs" c="dimmed">
                      next <Time at={nextAttemptAt} />
                    </Text>
                  )}
                  <Status value={status} />
                </Group>
              </Group>
            ))}
          </Stack>
          {event.attempts.length > 0 && <Attempts event={event} urlOf={urlOf} />}
        </>
      )}
    </Panel>
  );
}

/** Long words go on below: what stands beside them is not pushed out of sight. */
const Wrapped = ({ children }: { children: ReactNode }) => (
  <Text size="sm" style={{ whiteSpace: "normal", overflowWrap: "anywhere" }}>
    {children}
  </Text>
);

interface AttemptsProps {
  event: EventWithAttempts;
  urlOf: (id: string) => string;
}

function Attempts({ event, urlOf }: AttemptsProps) {
  return (
    <SimpleTable
      label="Attempts"
      head={["Attempt", "Endpoint", "Answer", "Took"]}
      rows={event.attempts.map(({ webhookEndpointId, at, httpStatus, error, durationMs }) => ({
        key: `${webhookEndpointId} ${at}`,
        cells: [
          <Time key="t" at={at} />,
          <Wrapped key="e">{urlOf(webhookEndpointId)}</Wrapped>,
          <Wrapped key="a">{httpStatus ?? error ?? "None"}</Wrapped>,
          `${durationMs} ms`,
        ],
      }))}
    />
  );
}
