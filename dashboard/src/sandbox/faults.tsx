import { Button, Group, NativeSelect, NumberInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { complaintsAt, forgetRefusal } from "../ui/form-errors.ts";
import { Panel } from "../ui/panel.tsx";
import { FailureAlert } from "../ui/states.tsx";
import { BELOW_LABEL } from "./below-label.ts";

const FAULTS = [
  { value: "DuplicateDeliveries", label: "Send the next webhooks twice" },
  { value: "DropDeliveries", label: "Drop the next webhooks" },
  { value: "ReorderDeliveries", label: "Send the next webhooks out of order" },
  { value: "DelayDeliveries", label: "Delay the next webhooks" },
  { value: "CutConnection", label: "Cut the next API call's connection after its commit" },
  { value: "KycDown", label: "The KYC provider is down" },
  { value: "KycSlow", label: "The KYC provider is too slow" },
];

interface FaultsSet {
  faults: { fault: string; count: number; seconds?: number }[];
}

export function Faults() {
  const [fault, setFault] = useState("DuplicateDeliveries");
  const [count, setCount] = useState<number | string>(1);
  const [seconds, setSeconds] = useState<number | string>(30);
  const inject = useAction<object, FaultsSet>({
    run: (body, reference) => call("POST", "/api/v1/simulator/faults", { body, reference }),
    isQuiet: true,
  });
  const order = {
    fault,
    count: Number(count),
    ...(fault === "DelayDeliveries" ? { seconds: Number(seconds) } : {}),
  };
  const { complaints, isAtField } = complaintsAt(inject.error, "fault", "count", "seconds");
  return (
    <Panel title="Faults" lead="What real life does to integrations.">
      <Stack gap="md" onInput={() => forgetRefusal(inject)}>
        {inject.error !== null && <FailureAlert error={inject.error} isAtField={isAtField} />}
        <Group align="flex-start" gap="xs">
          <NativeSelect
            label="What goes wrong"
            error={complaints.fault}
            data={FAULTS}
            value={fault}
            onChange={(event) => setFault(event.currentTarget.value)}
          />
          <NumberInput
            label="How often"
            error={complaints.count}
            value={count}
            onChange={setCount}
            min={1}
            max={1000}
            w={110}
          />
          {fault === "DelayDeliveries" && (
            <NumberInput
              label="Seconds"
              error={complaints.seconds}
              value={seconds}
              onChange={setSeconds}
              min={1}
              w={110}
            />
          )}
          <Button mt={BELOW_LABEL} loading={inject.isPending} onClick={() => inject.mutate(order)}>
            Let it go wrong
          </Button>
          <Button
            mt={BELOW_LABEL}
            variant="default"
            onClick={() => inject.mutate({ fault: "None" })}
          >
            Stop all faults
          </Button>
        </Group>
        {inject.data?.faults !== undefined && <Standing faults={inject.data.faults} />}
      </Stack>
    </Panel>
  );
}

function Standing({ faults }: FaultsSet) {
  return (
    <Text size="sm" role="status">
      {faults.length === 0
        ? "Nothing will go wrong."
        : `Still to come: ${faults
            .map(({ fault, count }) => `${labelOf(fault)} (${count})`)
            .join(", ")}.`}
    </Text>
  );
}

const labelOf = (fault: string): string =>
  FAULTS.find(({ value }) => value === fault)?.label ?? fault;
