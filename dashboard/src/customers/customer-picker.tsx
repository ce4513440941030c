import type { Customer } from "@florin/sdk";
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { resourceQuery } from "../api/queries.ts";
import { nameOf } from "./names.ts";

interface CustomerPickerProps {
  type?: Customer["type"] | undefined;
  value?: string;
  onChange?: (customerId: string) => void;
  error?: ReactNode;
  /** Whether it cannot be another one. */
  isFixed?: boolean;
}

/** Finds a customer by name among all; without a word, the newest ones are offered. */
export function CustomerPicker(props: CustomerPickerProps) {
  const { type, value = "", onChange, error, isFixed = false } = props;
  const [words, setWords] = useState("");
  const [settled] = useDebouncedValue(words.trim(), 200);
  const [chosenLabel, setChosenLabel] = useState<string>();
  const chosen = useQuery({
    ...resourceQuery<Customer>(`/api/v1/customers/${value}`),
    enabled: value !== "",
  });
  // The field shows who was chosen: that is nothing to look for.
  const labels = [chosenLabel, chosen.data && labelOf(chosen.data)];
  const name = labels.includes(settled) ? "" : settled;
  const found = useQuery({
    ...resourceQuery<Customer[]>("/api/v1/customers", {
      limit: 50,
      ...(type === undefined ? {} : { type }),
      ...(name === "" ? {} : { name }),
    }),
    placeholderData: keepPreviousData,
  });
  const known = [chosen.data, ...(found.data ?? [])];
  const customers = new Map(
    known.flatMap((customer) => (customer === undefined ? [] : [[customer.customerId, customer]])),
  );
  return (
    <Select
      label="Customer"
      placeholder="Name of a verified customer"
      searchable
      required
      withAsterisk={false}
      value={value === "" ? null : value}
      onChange={(customerId, option) => {
        setChosenLabel(option?.label);
        onChange?.(customerId ?? "");
      }}
      searchValue={words}
      onSearchChange={setWords}
      error={error}
      readOnly={isFixed}
      nothingFoundMessage="No customer found: verify one first"
      filter={({ options }) => options}
      data={[...customers.values()].map((customer) => ({
        value: customer.customerId,
        label: labelOf(customer),
      }))}
    />
  );
}

const labelOf = (customer: Customer): string => `${nameOf(customer)} (${customer.clientReference})`;
