import type { TestDelivery, WebhookEndpoint } from "@florin/sdk";
import { Button, Divider, Group, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { useCan } from "../session/use-me.ts";
import { Dialog } from "../ui/dialogs.tsx";
import { Panel } from "../ui/panel.tsx";
import { SecretOnce } from "../ui/secret-once.tsx";
import { Status } from "../ui/status.tsx";
import { useDialog } from "../ui/use-dialog.ts";

const LIST = "/api/v1/webhook-endpoints";

/** Test, turn on and off, rotate, recover, delete. */
export function EndpointTools({ endpoint }: { endpoint: WebhookEndpoint }) {
  const can = useCan();
  if (!can("webhooks")) return null;
  return (
    <Panel title="Tools">
      <Stack gap="md">
        <TestTool endpoint={endpoint} />
        <Divider />
        <SecretTool endpoint={endpoint} />
        <Divider />
        <RecoverTool endpoint={endpoint} />
        <Divider />
        <Group gap="xs">
          <SwitchTool endpoint={endpoint} />
          <DeleteTool endpoint={endpoint} />
        </Group>
      </Stack>
    </Panel>
  );
}

interface ToolProps {
  endpoint: WebhookEndpoint;
}

function TestTool({ endpoint }: ToolProps) {
  const test = useAction<void, TestDelivery>({
    run: (_input, reference) =>
      call("POST", `${LIST}/${endpoint.webhookEndpointId}/test`, { body: {}, reference }),
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">Send a test message</Text>
        <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </Button>
      </Group>
      {/* An answer that was lost says no more than that it was sent. */}
      {test.data?.durationMs !== undefined && (
        <Group gap="xs" role="status">
          <Status
            value={test.data.acknowledged ? "Delivered" : "Failed"}
            tone={test.data.acknowledged ? "positive" : "negative"}
          />
          <Text size="sm">
            {test.data.httpStatus ?? test.data.error ?? "No answer"} in {test.data.durationMs} ms
          </Text>
        </Group>
      )}
    </Stack>
  );
}

function SecretTool({ endpoint }: ToolProps) {
  const [secret, setSecret] = useState<string>();
  const rotate = useAction<void, { secret: string }>({
    run: (_input, reference) =>
      call("POST", `${LIST}/${endpoint.webhookEndpointId}/rotate-secret`, { body: {}, reference }),
    onDone: (data) => {
      setSecret(data.secret);
      dialog.onClose();
    },
    isQuiet: true,
    isSecret: true,
  });
  const dialog = useDialog();
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">Signing secret</Text>
        <Button size="xs" variant="default" onClick={dialog.open}>
          Rotate the secret
        </Button>
      </Group>
      {secret !== undefined && <SecretOnce label="webhook secret" value={secret} />}
      <Dialog
        title="Rotate the signing secret?"
        {...dialog}
        confirm="Make a new secret"
        action={rotate}
        onConfirm={() => rotate.mutate()}
      >
        A new secret is shown once. For a while messages carry two signatures, the old one's and the
        new one's, so that nothing is lost while you change over.
      </Dialog>
    </Stack>
  );
}

function RecoverTool({ endpoint }: ToolProps) {
  const [since, setSince] = useState("");
  const recover = useAction<string>({
    run: (moment, reference) =>
      call("POST", `${LIST}/${endpoint.webhookEndpointId}/recover`, {
        body: { since: new Date(moment).toISOString() },
        reference,
      }),
    changes: ["/api/v1/events", "/dashboard/webhook-endpoints"],
    done: "What the endpoint missed is on its way",
  });
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        flex={1}
        miw={190}
        type="datetime-local"
        label="Send what failed since"
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={since === ""}
        loading={recover.isPending}
        onClick={() => recover.mutate(since)}
      >
        Recover
      </Button>
    </Group>
  );
}

type Switched = WebhookEndpoint["status"];

interface SwitchTexts {
  button: string;
  what: string;
  done: string;
  overtaken: string;
}

const SWITCH: Record<Switched, SwitchTexts> = {
  Enabled: {
    button: "Enable",
    what: "It gets what happens from now on, and what still waits for it.",
    done: "The endpoint gets events again",
    overtaken: "The endpoint is enabled already.",
  },
  Disabled: {
    button: "Disable",
    what: "It gets nothing until it is enabled again. What happens meanwhile can be recovered then.",
    done: "The endpoint gets nothing any more",
    overtaken: "The endpoint is disabled already.",
  },
};

/** The service disables endpoints by itself, so that what is asked stands firm once it is opened. */
function SwitchTool({ endpoint }: ToolProps) {
  const other = endpoint.status === "Enabled" ? "Disabled" : "Enabled";
  const [status, setStatus] = useState<Switched>(other);
  const { button, what, done, overtaken } = SWITCH[status];
  const change = useAction<Switched>({
    run: (wanted, reference) =>
      call("PATCH", `${LIST}/${endpoint.webhookEndpointId}`, {
        body: { status: wanted },
        reference,
      }),
    changes: [LIST],
    done,
    onDone: () => dialog.onClose(),
    isQuiet: true,
  });
  const dialog = useDialog();
  const ask = () => {
    setStatus(other);
    dialog.open();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={ask}>
        {SWITCH[other].button}
      </Button>
      <Dialog
        title={`${button} this endpoint?`}
        {...dialog}
        confirm={`${button} the endpoint`}
        action={change}
        overtaken={endpoint.status === status ? overtaken : undefined}
        onConfirm={() => change.mutate(status)}
      >
        {what}
      </Dialog>
    </>
  );
}

function DeleteTool({ endpoint }: ToolProps) {
  const navigate = useNavigate();
  const remove = useAction<void>({
    run: (_input, reference) =>
      call("DELETE", `${LIST}/${endpoint.webhookEndpointId}`, { reference }),
    changes: [LIST],
    done: "The endpoint is deleted",
    onDone: () => void navigate({ to: "/settings/webhooks" }),
    isQuiet: true,
  });
  const dialog = useDialog();
  return (
    <>
      <Button size="xs" color="red" variant="outline" onClick={dialog.open}>
        Delete
      </Button>
      <Dialog
        title="Delete this endpoint?"
        {...dialog}
        confirm="Delete the endpoint"
        isDangerous
        action={remove}
        onConfirm={() => remove.mutate()}
      >
        {`${endpoint.url} gets no events any more, and what is still to be delivered is dropped.`}
      </Dialog>
    </>
  );
}
