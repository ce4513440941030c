import { useState } from "react";

interface Resettable {
  reset: () => void;
}

/** Opens with a clean slate: what a form held the last time is gone, as the dialog itself lets go of a refusal. */
export function useDialog(form?: Resettable) {
  const [isOpen, setOpen] = useState(false);
  return {
    isOpen,
    open: () => {
      form?.reset();
      setOpen(true);
    },
    onClose: () => setOpen(false),
  };
}
