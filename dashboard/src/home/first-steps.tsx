import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Home } from "../api/own-types.ts";
import { useIsSandbox } from "../session/use-me.ts";
import { Panel } from "../ui/panel.tsx";
import classes from "./first-steps.module.css";

/** Shown until the first purchase: what to do next, and what is done. */
export function FirstSteps({ home }: { home: Home }) {
  const isSandbox = useIsSandbox();
  const hasCards = home.cards.active + home.cards.frozen + home.cards.terminated > 0;
  const hasBought = home.days.some(({ approved, declined }) => approved + declined > 0);
  if (hasCards && hasBought) return null;
  const steps = [
    {
      done: home.wallets.some(({ balance }) => balance > 0),
      to: "/wallets",
      text: "Put money into a wallet",
    },
    { done: home.customers.total > 0, to: "/customers/verify", text: "Verify a customer" },
    { done: hasCards, to: "/cards/issue", text: "Issue the first card" },
    ...(isSandbox
      ? [
          {
            done: hasBought,
            to: "/sandbox/terminal",
            text: "Buy something at the virtual terminal",
          },
        ]
      : []),
  ];
  return (
    <Panel title="First steps">
      <ol className={classes.steps}>
        {steps.map(({ done, to, text }) => (
          <li key={to} className={done ? classes.done : ""}>
            <Anchor
              component={Link}
              to={to}
              size="sm"
              {...(done ? { c: "dimmed", td: "line-through" } : {})}
            >
              {text}
            </Anchor>
            {done && (
              <Text component="span" size="xs" c="dimmed" ml={8}>
                done
              </Text>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
