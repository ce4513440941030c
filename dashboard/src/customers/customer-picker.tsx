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
}

/** Finds a customer by name among all; without a word, the newest ones are offered. */
export function CustomerPicker({ type, value = "", onChange, error }: CustomerPickerProps) {
  const [words, setWords] = useState("");
  const [name] = useDebouncedValue(words.trim(), 200);
  const chosen = useQuery({
    ...resourceQuery<Customer>(`/api/v1/customers/${value}`),
    enabled: value !== "",
  });
  const chosenLabel = chosen.data === undefined ? undefined : labelOf(chosen.data);
  const found = useQuery({
    ...resourceQuery<Customer[]>("/api/v1/customers", {
      limit: 50,
      ...(type === undefined ? {} : { type }),
      ...(name === "" || name === chosenLabel ? {} : { name }),
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
      onChange={(customerId) => onChange?.(customerId ?? "")}
      searchValue={words}
      onSearchChange={setWords}
      error={error}
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
