import { Button, Group, Stack, Text } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { call } from "../api/client.ts";
import type { AuthorizationTest } from "../api/own-types.ts";
import { useAction } from "../api/use-action.ts";
import { useCan } from "../session/use-me.ts";
import { Facts } from "../ui/facts.tsx";
import { Panel } from "../ui/panel.tsx";
import { FailureAlert } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import classes from "./authorization-url-test.module.css";

/** Asks the Authorization URL as for a purchase; webhook endpoints are tried with their own tools. */
export function AuthorizationUrlTest() {
  const can = useCan();
  const test = useAction<void, AuthorizationTest>({
    run: () => call("POST", "/dashboard/authorization-test"),
    isQuiet: true,
  });
  if (!can("authorization-settings")) return null;
  return (
    <Panel
      title="Test my endpoint"
      lead="Sends a marked test question, signed like a real one. No money moves."
      actions={
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Test my endpoint
        </Button>
      }
    >
      {test.error !== null && <FailureAlert error={test.error} />}
      {test.data === undefined ? (
        test.error === null && (
          <Text size="sm" c="dimmed">
            The answer and its latency against the deadline of 400 ms appear here.
          </Text>
        )
      ) : (
        <Result result={test.data} />
      )}
    </Panel>
  );
}

function Result({ result }: { result: AuthorizationTest }) {
  const { latencyMs, deadlineMs, inTime } = result;
  const share = Math.min(100, (100 * latencyMs) / deadlineMs);
  return (
    <Stack gap="md" role="status">
      <div>
        <Group justify="space-between" mb={6}>
          <Text size="sm" fw={600} className="figures">
            {Math.round(latencyMs)} ms of {deadlineMs} ms
          </Text>
          <Status value={inTime ? "In time" : "Too late"} tone={inTime ? "positive" : "negative"} />
        </Group>
        <div className={classes.scale} aria-hidden>
          <div
            className={`${classes.bar} ${inTime ? "" : classes.late}`}
            style={{ width: `${share}%` }}
          />
        </div>
      </div>
      <Facts
        facts={[
          ["Decision", result.decision],
          ["Decided by", result.source],
          ["HTTP status", result.httpStatus ?? "No answer"],
          result.problem !== null && ["Problem", result.problem],
        ]}
      />
    </Stack>
  );
}
