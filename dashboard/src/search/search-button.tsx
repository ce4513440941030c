import { Kbd, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import classes from "./search.module.css";

const Palette = lazy(() =>
  import("./palette-dialog.tsx").then((module) => ({ default: module.PaletteDialog })),
);

/** The palette is fetched when somebody wants it. */
export function SearchButton() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([["mod+K", open]], []);
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
      <Suspense>{isOpen && <Palette onClose={close} />}</Suspense>
    </>
  );
}
