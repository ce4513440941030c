import { useRouter } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useCallback } from "react";

interface PlainLinkProps {
  to: string;
  className: string | undefined;
  isCurrent?: boolean;
  children: ReactNode;
}

/**
 * A link for places with many: the router's own looks at every step of every navigation, which a screen
 * with dozens of them feels.
 */
export function PlainLink({ to, className, isCurrent = false, children }: PlainLinkProps) {
  const router = useRouter();
  const follow = useCallback(
    (event: MouseEvent) => {
      const isForAnotherTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (isForAnotherTab || event.button !== 0) return;
      event.preventDefault();
      void router.navigate({ to });
    },
    [router, to],
  );
  return (
    <a
      href={to}
      className={className}
      onClick={follow}
      onMouseEnter={() => void router.preloadRoute({ to })}
      {...(isCurrent ? { "aria-current": "page" as const } : {})}
    >
      {children}
    </a>
  );
}
