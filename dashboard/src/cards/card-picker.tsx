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

/** Shorter words are looked for among the newest only. */
const MIN_SEARCHED = 2;
const MAX_SEARCHED = 100;

/** Finds a card by number, name or id among all; without a word, the newest ones are offered. */
export function CardPicker(props: CardPickerProps) {
  const { label, value, onChange, accepts = () => true, error } = props;
  const [words, setWords] = useState("");
  const [settled] = useDebouncedValue(words.trim().slice(0, MAX_SEARCHED), 200);
  const [chosenLabel, setChosenLabel] = useState<string>();
  const chosen = useQuery({
    ...resourceQuery<Card>(`/api/v1/cards/${value ?? ""}`),
    enabled: value !== null,
  });
  // The field shows what was chosen: that is nothing to look for.
  const labels = [chosenLabel, chosen.data && labelOf(chosen.data)];
  const sought = labels.includes(settled) ? "" : settled;
  const isSearching = sought.length >= MIN_SEARCHED;
  const newest = useQuery(resourceQuery<Card[]>("/api/v1/cards", { limit: 50 }));
  const found = useQuery({
    ...resourceQuery<{ cards: Card[] }>("/dashboard/search", { q: sought }),
    enabled: isSearching,
    placeholderData: keepPreviousData,
  });
  const offered = [
    ...(isSearching ? (found.data?.cards ?? []) : []),
    ...(sought === "" && chosen.data !== undefined ? [chosen.data] : []),
    ...(newest.data ?? []).filter((card) => hasWords(card, sought)),
  ].filter(accepts);
  const options = new Map(offered.map((card) => [card.cardId, labelOf(card)]));
  return (
    <Select
      label={label}
      placeholder="Last four digits, name or card id"
      searchable
      value={value}
      onChange={(cardId, option) => {
        setChosenLabel(option?.label);
        onChange(cardId);
      }}
      searchValue={words}
      onSearchChange={setWords}
      error={error}
      nothingFoundMessage="No card found"
      // What the service finds need not have the words in its label.
      filter={(shown) => shown.options}
      data={[...options].map(([cardId, text]) => ({ value: cardId, label: text }))}
    />
  );
}

const labelOf = (card: Card): string =>
  `${lastFour(card)} ${card.nameOnCard} (${card.type}, ${card.status})`;

const hasWords = (card: Card, words: string): boolean =>
  labelOf(card).toLowerCase().includes(words.toLowerCase());
