import { type ReactNode, useState } from "react";

interface OnDemandProps {
  isWanted: boolean;
  children: ReactNode;
}

/** Makes a dialog when it is first opened: a screen with many is drawn sooner without them. */
export function OnDemand({ isWanted, children }: OnDemandProps) {
  const [wasWanted, setWasWanted] = useState(isWanted);
  if (isWanted && !wasWanted) setWasWanted(true);
  return wasWanted ? children : null;
}
