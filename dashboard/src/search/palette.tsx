import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import type { Hits } from "../api/own-types.ts";
import { resourceQuery } from "../api/queries.ts";
import { useMe } from "../session/use-me.ts";
import { navigationFor } from "../shell/navigation.ts";
import { groupsOf, type Option, type OptionGroup } from "./hits.ts";
import classes from "./search.module.css";

/** Asks once for what is typed in one go, and still feels immediate. */
const SETTLE_MS = 40;

interface PaletteProps {
  words: string;
  onWords: (words: string) => void;
  onDone: () => void;
}

/** Finds cards, customers, transactions and screens; driven by the keyboard alone if wanted. */
export function Palette({ words, onWords, onDone }: PaletteProps) {
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const id = useId();
  const { groups, isSearching } = useResults(words.trim());
  const options = groups.flatMap((group) => group.options);
  const go = (option: Option | undefined) => {
    if (option === undefined) return;
    onDone();
    void navigate({ to: option.to });
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((current) => (current + step + options.length) % Math.max(options.length, 1));
    }
    if (event.key === "Enter") go(options[chosen]);
  };
  return (
    <>
      <input
        className={classes.input}
        data-autofocus
        data-palette
        placeholder="Card number, name, reference, id or screen"
        value={words}
        onChange={(event) => {
          onWords(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
        role="combobox"
        aria-label="Search cards, customers, transactions and screens"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(options.length === 0 ? {} : { "aria-activedescendant": `${id}-${chosen}` })}
      />
      <div className={classes.results} id={`${id}-list`} role="listbox" aria-label="Results">
        {groups.map((group) => (
          <Results
            key={group.title}
            group={group}
            firstIndex={options.indexOf(group.options[0] as Option)}
            chosen={chosen}
            id={id}
            onHover={setChosen}
            onPick={go}
          />
        ))}
      </div>
      {options.length === 0 && (
        <Text size="sm" c="dimmed" px="lg" pb="lg" role="status">
          {isSearching
            ? "Searching …"
            : "Nothing found. Try the last four digits, or part of a name."}
        </Text>
      )}
    </>
  );
}

function useResults(words: string): { groups: OptionGroup[]; isSearching: boolean } {
  const me = useMe();
  const [settled] = useDebouncedValue(words, SETTLE_MS);
  const hits = useQuery({
    ...resourceQuery<Hits>("/dashboard/search", { q: settled }),
    enabled: settled.length >= 2,
    placeholderData: keepPreviousData,
  });
  const screens = navigationFor(me)
    .flatMap((group) => group.destinations)
    .filter(({ label }) => label.toLowerCase().includes(words.toLowerCase()))
    .map(({ to, label }) => ({ to, label, detail: "Screen" }));
  const found = words.length >= 2 && hits.data !== undefined ? groupsOf(hits.data) : [];
  const groups = [...found, { title: "Screens", options: screens }];
  return {
    groups: groups.filter(({ options }) => options.length > 0),
    isSearching: hits.isFetching || settled !== words,
  };
}

interface ResultsProps {
  group: OptionGroup;
  firstIndex: number;
  chosen: number;
  id: string;
  onHover: (index: number) => void;
  onPick: (option: Option) => void;
}

function Results({ group, firstIndex, chosen, id, onHover, onPick }: ResultsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options this way.
    <div role="group" aria-labelledby={`${id}-${group.title}`}>
      <div className={classes.title} id={`${id}-${group.title}`}>
        {group.title}
      </div>
      {group.options.map((option, offset) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keyboard.
        <div
          key={option.to}
          id={`${id}-${firstIndex + offset}`}
          className={classes.option}
          role="option"
          tabIndex={-1}
          aria-selected={chosen === firstIndex + offset}
          onMouseMove={() => onHover(firstIndex + offset)}
          onClick={() => onPick(option)}
        >
          <span>{option.label}</span>
          <span className={classes.detail}>{option.detail}</span>
        </div>
      ))}
    </div>
  );
}
