import { Modal } from "@mantine/core";
import { Palette } from "./palette.tsx";

export function PaletteDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal.Root opened onClose={onClose} yOffset="12vh" size="lg">
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      <Modal.Content aria-label="Search">
        <Palette onDone={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
}
