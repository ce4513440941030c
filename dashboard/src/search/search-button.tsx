import { Kbd, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { typedInto, whenIdle } from "./first-keys.ts";
import classes from "./search.module.css";

const fetchPalette = () => import("./palette-dialog.tsx");

const Palette = lazy(() => fetchPalette().then((module) => ({ default: module.PaletteDialog })));

/** The palette is no part of the first screen: it is fetched when that is there, or when somebody wants it. */
export function SearchButton() {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [words, setWords] = useState("");
  useHotkeys([["mod+K", open]], []);
  // What could not be fetched is fetched when it is wanted.
  useEffect(() => whenIdle(() => void fetchPalette().catch(() => undefined)), []);
  useFirstKeys(isOpen, setWords);
  const done = () => {
    close();
    setWords("");
  };
  return (
    <>
      <UnstyledButton className={classes.button} onClick={open}>
        <IconSearch size={16} aria-hidden />
        <Text size="sm" component="span" className={classes.hint}>
          Search
        </Text>
        <Kbd size="xs" className={classes.hint}>
          Ctrl K
        </Kbd>
      </UnstyledButton>
      <Suspense>{isOpen && <Palette words={words} onWords={setWords} onClose={done} />}</Suspense>
    </>
  );
}

/** Whoever types at once need not wait for the palette's field, wherever the focus still is. */
function useFirstKeys(isOpen: boolean, change: (by: (words: string) => string) => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const keep = (event: KeyboardEvent) => {
      if (document.activeElement?.hasAttribute("data-palette") === true) return;
      if (typedInto("?", event) === "?") return;
      event.preventDefault();
      change((before) => typedInto(before, event));
    };
    window.addEventListener("keydown", keep);
    return () => window.removeEventListener("keydown", keep);
  }, [isOpen, change]);
}
