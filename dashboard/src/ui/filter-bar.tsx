import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback, useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { IconFilter, IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import classes from "./filter-bar.module.css";
import { useFilters } from "./use-filters.ts";

/** Asks once for what is typed in one go, and still feels immediate. */
const SETTLE_MS = 60;
/** Whoever stops for that long means what stands there. */
const PAUSE_MS = 500;

/** A row of filters with a way back to no filter at all. A phone shows them on demand. */
export function FilterBar({ names, children }: { names: string[]; children: ReactNode }) {
  const [filters, change] = useFilters();
  const [isOpen, { toggle }] = useDisclosure(false);
  const id = useId();
  const count = names.filter((name) => filters[name] !== undefined).length;
  return (
    <Group gap="xs" align="flex-end" component="search">
      <Button
        variant="default"
        className={classes.toggle ?? ""}
        leftSection={<IconFilter size={16} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {count === 0 ? "Filters" : `Filters (${count})`}
      </Button>
      <Group
        id={id}
        gap="xs"
        align="flex-start"
        className={isOpen ? "" : (classes.closed ?? "")}
        w={{ base: "100%", xs: "auto" }}
      >
        {children}
      </Group>
      {count > 0 && (
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
  /** Where the heading beside it says enough for the eye. */
  isLabelHidden?: boolean;
}

export function Choice({ name, label, options, isLabelHidden = false }: ChoiceProps) {
  const [filters, change] = useFilters();
  return (
    <NativeSelect
      {...(isLabelHidden ? { "aria-label": label } : { label })}
      value={filters[name] ?? ""}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      data={[{ value: "", label: "All" }, ...options]}
      w={isLabelHidden ? 138 : { base: "calc(50% - 5px)", xs: 138 }}
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
      error={name === "to" && isBackwards(filters) ? "Before the first day" : undefined}
      w={{ base: "calc(50% - 5px)", xs: 138 }}
    />
  );
}

const isBackwards = ({ from = "", to = "" }: Record<string, string | undefined>): boolean =>
  to !== "" && to < from;

interface Shape {
  pattern: RegExp;
  /** What it looks like, for whoever has typed something else. */
  words: string;
}

interface WordFieldProps {
  name: string;
  label: string;
  placeholder?: string;
  /** What is still being typed is no filter yet. */
  shape?: Shape;
}

export function WordField({ name, label, placeholder, shape }: WordFieldProps) {
  const [filters, change] = useFilters();
  const applied = filters[name] ?? "";
  const [text, setText] = useState(applied);
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const isUnfinished = !fits(text, shape);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Whoever is typing is ahead of the address.
    if (input.current !== document.activeElement) setText(applied);
  }, [applied]);
  const later = useDebouncedCallback((typed: string) => {
    change({ [name]: fits(typed, shape) ? typed.trim() : undefined });
  }, SETTLE_MS);
  return (
    <TextInput
      ref={input}
      label={label}
      placeholder={placeholder ?? ""}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        later(event.currentTarget.value);
      }}
      error={isUnfinished && settled === text ? shape?.words : undefined}
      aria-invalid={isUnfinished}
      w={{ base: "100%", xs: 170 }}
    />
  );
}

function fits(typed: string, shape: Shape | undefined): boolean {
  const value = typed.trim();
  return value === "" || shape === undefined || shape.pattern.test(value);
}

interface IdFieldProps {
  name: string;
  label: string;
  prefix: "card" | "cus";
}

/** For an id that is pasted. */
export function IdField({ name, label, prefix }: IdFieldProps) {
  return (
    <WordField
      name={name}
      label={label}
      placeholder={`${prefix}_…`}
      shape={{ pattern: new RegExp(`^${prefix}_[0-9a-z]{26}$`), words: `A whole id: ${prefix}_…` }}
    />
  );
}
