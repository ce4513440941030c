import { Button, Group, NativeSelect, NumberInput, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call } from "../api/client.ts";
import { resourceQuery } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { complaintsAt, forgetRefusal } from "../ui/form-errors.ts";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { FailureAlert } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { BELOW_LABEL } from "./below-label.ts";
import { Faults } from "./faults.tsx";

const CLOCK = "/dashboard/clock";
const SECOND_MS = 1_000;

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
  const now = useServiceTime();
  const advance = useAction<number>({
    run: (seconds, reference) =>
      call("POST", "/api/v1/simulator/clock/advance", { body: { seconds }, reference }),
    changes: ["/api/v1", "/dashboard/home", CLOCK],
    done: "The service's clock has moved",
    isQuiet: true,
  });
  // The service counts seconds, and complains in them.
  const { complaints, isAtField } = complaintsAt(advance.error, "seconds");
  return (
    <Panel
      title="The clock"
      lead="It only moves forward. Holds expire, limits start anew, webhook retries come due."
    >
      <Stack gap="md" onInput={() => forgetRefusal(advance)}>
        {advance.error !== null && <FailureAlert error={advance.error} isAtField={isAtField} />}
        <Group align="flex-start" gap="xs">
          <NumberInput
            label="How many"
            error={complaints.seconds && "Whole seconds, up to 400 days"}
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
            mt={BELOW_LABEL}
            loading={advance.isPending}
            onClick={() => advance.mutate(Number(count) * Number(unit))}
          >
            Move the clock
          </Button>
        </Group>
        {now !== undefined && (
          <Text size="sm">
            The service's time is now <Time at={now} as="full" />.
          </Text>
        )}
      </Stack>
    </Panel>
  );
}

/** Asked once, and counted on from there: asking again and again would keep a session alive. */
function useServiceTime(): string | undefined {
  const { data, dataUpdatedAt } = useQuery(resourceQuery<{ now: string }>(CLOCK));
  const [shownMs, setShownMs] = useState(Date.now);
  useEffect(() => {
    const ticks = setInterval(() => setShownMs(Date.now()), SECOND_MS);
    return () => clearInterval(ticks);
  }, []);
  if (data === undefined) return undefined;
  const passedMs = Math.max(shownMs - dataUpdatedAt, 0);
  return new Date(Date.parse(data.now) + passedMs).toISOString();
}
