import { Modal } from "@mantine/core";
import { useFocusBack } from "../ui/use-focus-back.ts";
import { Palette } from "./palette.tsx";

interface PaletteDialogProps {
  words: string;
  onWords: (words: string) => void;
  onClose: () => void;
}

export function PaletteDialog({ words, onWords, onClose }: PaletteDialogProps) {
  useFocusBack(true);
  return (
    <Modal.Root
      opened
      onClose={onClose}
      returnFocus={false}
      yOffset="12vh"
      size="lg"
      centered={false}
    >
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content aria-label="Search">
        <Palette words={words} onWords={onWords} onDone={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
}
