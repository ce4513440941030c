import type { EventType } from "@florin/sdk";
import { MultiSelect } from "@mantine/core";
import { EVENT_TYPES } from "../events/types.ts";

interface EventTypesFieldProps {
  value: EventType[];
  onChange: (eventTypes: EventType[]) => void;
  error: string | undefined;
}

export function EventTypesField({ value, onChange, error }: EventTypesFieldProps) {
  return (
    <MultiSelect
      label="Events"
      description="None chosen: all of them, also those that come later"
      data={[...EVENT_TYPES]}
      value={value}
      onChange={onChange}
      error={error}
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Choose none" }}
    />
  );
}
