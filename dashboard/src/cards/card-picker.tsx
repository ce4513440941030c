import type { Card } from "@florin/sdk";
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { resourceQuery } from "../api/queries.ts";
import { lastFour } from "./names.ts";

interface CardPickerProps {
  label: string;
  value: string | null;
  onChange: (cardId: string | null) => void;
  accepts?: (card: Card) => boolean;
  error?: ReactNode;
}

/** Finds a card by number, name or id among all; without a word, the newest ones are offered. */
export function CardPicker(props: CardPickerProps) {
  const { label, value, onChange, accepts = () => true, error } = props;
  const [words, setWords] = useState("");
  const [settled] = useDebouncedValue(words.trim(), 200);
  const newest = useQuery(resourceQuery<Card[]>("/api/v1/cards", { limit: 50 }));
  const found = useQuery({
    ...resourceQuery<{ cards: Card[] }>("/dashboard/search", {
      q: settled.replace(/[^\w\s-]/g, "").trim(),
    }),
    enabled: settled.length >= 2,
    placeholderData: keepPreviousData,
  });
  const chosen = useQuery({
    ...resourceQuery<Card>(`/api/v1/cards/${value ?? ""}`),
    enabled: value !== null,
  });
  const known = [chosen.data, ...(found.data?.cards ?? []), ...(newest.data ?? [])];
  const cards = new Map(
    known.flatMap((card) => (card !== undefined && accepts(card) ? [[card.cardId, card]] : [])),
  );
  return (
    <Select
      label={label}
      placeholder="Last four digits, name or card id"
      searchable
      value={value}
      onChange={onChange}
      searchValue={words}
      onSearchChange={setWords}
      error={error}
      nothingFoundMessage="No card found"
      data={[...cards.values()].map((card) => ({ value: card.cardId, label: labelOf(card) }))}
    />
  );
}

const labelOf = (card: Card): string =>
  `${lastFour(card)} ${card.nameOnCard} (${card.type}, ${card.status})`;
