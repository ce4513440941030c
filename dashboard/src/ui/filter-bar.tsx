import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useFilters } from "./use-filters.ts";

/** A row of filters with a way back to no filter at all. */
export function FilterBar({ names, children }: { names: string[]; children: ReactNode }) {
  const [filters, change] = useFilters();
  const isFiltered = names.some((name) => filters[name] !== undefined);
  return (
    <Group gap="xs" align="flex-end" component="search">
      {children}
      {isFiltered && (
        <Button
          variant="subtle"
          size="sm"
          color="gray"
          leftSection={<IconX size={14} />}
          onClick={() => change(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          Clear
        </Button>
      )}
    </Group>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  options: readonly (string | { value: string; label: string })[];
}

export function Choice({ name, label, options }: ChoiceProps) {
  const [filters, change] = useFilters();
  return (
    <NativeSelect
      label={label}
      value={filters[name] ?? ""}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      data={[{ value: "", label: "All" }, ...options]}
      w={{ base: "calc(50% - 5px)", xs: 138 }}
    />
  );
}

export function DayField({ name, label }: { name: "from" | "to"; label: string }) {
  const [filters, change] = useFilters();
  return (
    <TextInput
      type="date"
      label={label}
      value={filters[name] ?? ""}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      w={{ base: "calc(50% - 5px)", xs: 138 }}
    />
  );
}

interface WordFieldProps {
  name: string;
  label: string;
  placeholder?: string;
}

export function WordField({ name, label, placeholder }: WordFieldProps) {
  const [filters, change] = useFilters();
  const later = useDebouncedCallback((value: string) => change({ [name]: value.trim() }), 300);
  return (
    <TextInput
      key={filters[name] === undefined ? "empty" : "filled"}
      label={label}
      placeholder={placeholder ?? ""}
      defaultValue={filters[name] ?? ""}
      onChange={(event) => later(event.currentTarget.value)}
      w={{ base: "100%", xs: 170 }}
    />
  );
}
