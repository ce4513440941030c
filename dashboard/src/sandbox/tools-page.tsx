import { Button, Group, NativeSelect, NumberInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { FailureAlert } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { Faults } from "./faults.tsx";

const UNITS = [
  { value: "60", label: "minutes" },
  { value: "3600", label: "hours" },
  { value: "86400", label: "days" },
];

export function ToolsPage() {
  return (
    <Page
      title="Clock and faults"
      lead="Let time pass and let things go wrong, to see what your side does."
    >
      <ClockTool />
      <Faults />
    </Page>
  );
}

function ClockTool() {
  const [count, setCount] = useState<number | string>(1);
  const [unit, setUnit] = useState("86400");
  const advance = useAction<number, { now: string }>({
    run: (seconds, reference) =>
      call("POST", "/api/v1/simulator/clock/advance", { body: { seconds }, reference }),
    changes: ["/api/v1", "/dashboard/home"],
    done: "The service's clock has moved",
    isQuiet: true,
  });
  return (
    <Panel
      title="The clock"
      lead="It only moves forward. Holds expire, limits start anew, webhook retries come due."
    >
      <Stack gap="md">
        {advance.error !== null && <FailureAlert error={advance.error} />}
        <Group align="flex-end" gap="xs">
          <NumberInput
            label="How many"
            value={count}
            onChange={setCount}
            min={1}
            max={400}
            w={110}
          />
          <NativeSelect
            label="Of what"
            data={UNITS}
            value={unit}
            onChange={(event) => setUnit(event.currentTarget.value)}
          />
          <Button
            loading={advance.isPending}
            onClick={() => advance.mutate(Number(count) * Number(unit))}
          >
            Move the clock
          </Button>
        </Group>
        {advance.data?.now !== undefined && (
          <Text size="sm" role="status">
            The service's time is now <Time at={advance.data.now} as="full" />.
          </Text>
        )}
      </Stack>
    </Panel>
  );
}
