import type { WebhookEndpoint } from "@florin/sdk";
import { Button } from "@mantine/core";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { listQuery } from "../api/queries.ts";
import { useCan } from "../session/use-me.ts";
import { type Column, DataList } from "../ui/data-list.tsx";
import { plural } from "../ui/numbers.ts";
import { Page } from "../ui/page.tsx";
import { SecretOnce } from "../ui/secret-once.tsx";
import { Empty } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { NewEndpoint } from "./new-endpoint.tsx";

const columns: Column<WebhookEndpoint>[] = [
  { header: "Address", cell: ({ url }) => url },
  { header: "Status", cell: ({ status }) => <Status value={status} />, width: "140px" },
  {
    header: "Events",
    from: "Sm",
    width: "130px",
    cell: ({ eventTypes }) => (eventTypes.length === 0 ? "All" : plural(eventTypes.length, "type")),
  },
  { header: "Since", cell: ({ createdAt }) => <Time at={createdAt} />, width: "172px", from: "Sm" },
];

export function WebhooksPage() {
  const can = useCan();
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  const endpoints = useInfiniteQuery(
    listQuery<WebhookEndpoint>("/api/v1/webhook-endpoints", "webhookEndpointId"),
  );
  const add = can("webhooks") && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen(true)}>
      Add an endpoint
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      lead="Where your servers hear of events. Each message is signed with the endpoint's secret."
      actions={add}
    >
      {secret !== undefined && <SecretOnce label="webhook secret" value={secret} />}
      <DataList
        label="Webhook endpoints"
        noun="endpoint"
        source={endpoints}
        columns={columns}
        rowKey={({ webhookEndpointId }) => webhookEndpointId}
        linkTo={({ webhookEndpointId }) => `/settings/webhooks/${webhookEndpointId}`}
        empty={
          <Empty icon={IconWebhook} title="No endpoints yet" action={add}>
            Without one, events can still be read from the feed.
          </Empty>
        }
      />
      <NewEndpoint isOpen={isOpen} onClose={() => setOpen(false)} onSecret={setSecret} />
    </Page>
  );
}
