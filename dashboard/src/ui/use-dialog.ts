import { useState } from "react";

interface Resettable {
  reset: () => void;
}

/** Opens with a clean slate: what failed the last time is not shown again. */
export function useDialog(...actions: Resettable[]) {
  const [isOpen, setOpen] = useState(false);
  return {
    isOpen,
    open: () => {
      for (const action of actions) action.reset();
      setOpen(true);
    },
    onClose: () => setOpen(false),
  };
}
