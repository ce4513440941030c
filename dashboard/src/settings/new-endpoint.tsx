import type { EventType, WebhookEndpointWithSecret } from "@florin/sdk";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { Dialog } from "../ui/dialogs.tsx";
import { complaintsAt } from "../ui/form-errors.ts";
import { EventTypesField } from "./event-types-field.tsx";

interface NewEndpointProps {
  isOpen: boolean;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

export function NewEndpoint({ isOpen, onClose, onSecret }: NewEndpointProps) {
  const [url, setUrl] = useState("");
  const [eventTypes, setEventTypes] = useState<EventType[]>([]);
  const create = useAction<object, WebhookEndpointWithSecret>({
    run: (body, reference) => call("POST", "/api/v1/webhook-endpoints", { body, reference }),
    changes: ["/api/v1/webhook-endpoints"],
    done: "The endpoint is there",
    onDone: ({ secret }) => {
      onSecret(secret);
      close();
    },
    isQuiet: true,
    isSecret: true,
  });
  const close = () => {
    setUrl("");
    setEventTypes([]);
    onClose();
  };
  const { complaints, isAtField } = complaintsAt(create.error, "url", "eventTypes");
  return (
    <Dialog
      title="Add a webhook endpoint"
      isOpen={isOpen}
      onClose={close}
      confirm="Add the endpoint"
      action={create}
      isAtField={isAtField}
      onConfirm={() => create.mutate({ url: url.trim(), eventTypes })}
    >
      <TextInput
        label="Address"
        type="url"
        placeholder="https://example.com/hooks"
        error={complaints.url}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        data-autofocus
      />
      <EventTypesField value={eventTypes} onChange={setEventTypes} error={complaints.eventTypes} />
    </Dialog>
  );
}
