import type { WebhookEndpoint } from "@florin/sdk";
import { Button, Grid, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../api/client.ts";
import { resourceQuery } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { useCan } from "../session/use-me.ts";
import { CopyText } from "../ui/copy.tsx";
import { Facts } from "../ui/facts.tsx";
import { complaintsAt, forgetRefusal } from "../ui/form-errors.ts";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { FailureAlert, Loaded } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { Deliveries } from "./deliveries.tsx";
import { EndpointTools } from "./endpoint-tools.tsx";
import { EventTypesField } from "./event-types-field.tsx";

const LIST = "/api/v1/webhook-endpoints";

export function WebhookPage() {
  const { webhookEndpointId = "" } = useParams({ strict: false });
  const endpoint = useQuery(resourceQuery<WebhookEndpoint>(`${LIST}/${webhookEndpointId}`));
  return (
    <Page
      title="Webhook endpoint"
      lead={endpoint.data?.url}
      back={{ to: "/settings/webhooks", label: "Webhooks" }}
    >
      <Loaded query={endpoint}>
        {(data) => (
          <>
            <Panel>
              <Facts
                facts={[
                  [
                    "Endpoint id",
                    <CopyText key="i" value={data.webhookEndpointId} label="endpoint id" />,
                  ],
                  ["Status", <Status key="s" value={data.status} />],
                  ["Since", <Time key="t" at={data.createdAt} as="day" />],
                ]}
              />
            </Panel>
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, md: 6 }}>
                <EndpointForm key={JSON.stringify(data)} endpoint={data} />
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 6 }}>
                <EndpointTools key={data.webhookEndpointId} endpoint={data} />
              </Grid.Col>
            </Grid>
            <Deliveries webhookEndpointId={data.webhookEndpointId} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function EndpointForm({ endpoint }: { endpoint: WebhookEndpoint }) {
  const can = useCan();
  const [url, setUrl] = useState(endpoint.url);
  const [eventTypes, setEventTypes] = useState(endpoint.eventTypes);
  const save = useAction<object>({
    run: (body, reference) =>
      call("PATCH", `${LIST}/${endpoint.webhookEndpointId}`, { body, reference }),
    changes: [LIST],
    done: "The endpoint is saved",
    isQuiet: true,
  });
  const { complaints, isAtField } = complaintsAt(save.error, "url", "eventTypes");
  if (!can("webhooks")) {
    return (
      <Panel title="Settings">
        <Text size="sm">{endpoint.url}</Text>
      </Panel>
    );
  }
  return (
    <Panel title="Settings">
      <Stack gap="md" onInput={() => forgetRefusal(save)}>
        {save.error !== null && <FailureAlert error={save.error} isAtField={isAtField} />}
        <TextInput
          label="Address"
          type="url"
          error={complaints.url}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <EventTypesField
          value={eventTypes}
          onChange={setEventTypes}
          error={complaints.eventTypes}
        />
        <Button
          loading={save.isPending}
          onClick={() => save.mutate({ url: url.trim(), eventTypes })}
        >
          Save the endpoint
        </Button>
      </Stack>
    </Panel>
  );
}
