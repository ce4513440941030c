import type { Card } from "@florin/sdk";
import { Button, Menu } from "@mantine/core";
import {
  IconArrowDownLeft,
  IconArrowsExchange,
  IconArrowUpRight,
  IconBan,
  IconChevronDown,
  IconCopyPlus,
  IconScale,
  IconSnowflake,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useCan } from "../session/use-me.ts";
import { OnDemand } from "../ui/on-demand.tsx";
import { MoneyDialog, type Movement } from "./money-dialog.tsx";
import { RegularizeDialog, StatusDialog, TerminateDialog } from "./status-dialogs.tsx";
import { TransferDialog } from "./transfer-dialog.tsx";

type Open = Movement | "transfer" | "status" | "terminate" | "regularize" | undefined;

/** What can be done with this card, by this person, in this state. */
export function CardActions({ card }: { card: Card }) {
  const can = useCan();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const isLive = card.status !== "Terminated";
  const movesMoney = can("cards.money") && card.type !== "Lite";
  const canTerminate = can("cards.terminate") && isLive;
  const canRegularize = can("cards.money") && !isLive && card.balance < 0;
  const hasMenu =
    (isLive && (movesMoney || can("cards.status") || can("cards.issue"))) ||
    canTerminate ||
    canRegularize;
  return (
    <>
      {movesMoney && isLive && (
        <Button leftSection={<IconArrowDownLeft size={16} />} onClick={() => setOpen("top-up")}>
          Top up
        </Button>
      )}
      {hasMenu && (
        <Menu position="bottom-end" width={230}>
          <Menu.Target>
            <Button variant="default" rightSection={<IconChevronDown size={16} />}>
              Actions
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {movesMoney && isLive && (
              <>
                <Menu.Item
                  leftSection={<IconArrowUpRight size={16} />}
                  onClick={() => setOpen("withdraw")}
                >
                  Withdraw to the wallet
                </Menu.Item>
                <Menu.Item
                  leftSection={<IconArrowsExchange size={16} />}
                  onClick={() => setOpen("transfer")}
                >
                  Transfer to another card
                </Menu.Item>
              </>
            )}
            {can("cards.issue") && isLive && card.type !== "Lite" && (
              <Menu.Item
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/cards/issue"
                    search={{ customerId: card.customerId, cardId: card.cardId }}
                  />
                )}
                leftSection={<IconCopyPlus size={16} />}
              >
                Re-issue
              </Menu.Item>
            )}
            {can("cards.status") && isLive && (
              <Menu.Item
                leftSection={<IconSnowflake size={16} />}
                onClick={() => setOpen("status")}
              >
                {card.status === "Frozen" ? "Unfreeze" : "Freeze"}
              </Menu.Item>
            )}
            {canTerminate && (
              <Menu.Item
                color="red"
                leftSection={<IconBan size={16} />}
                onClick={() => setOpen("terminate")}
              >
                Terminate
              </Menu.Item>
            )}
            {canRegularize && (
              <Menu.Item
                leftSection={<IconScale size={16} />}
                onClick={() => setOpen("regularize")}
              >
                Regularize the balance
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <OnDemand isWanted={open !== undefined}>
        <MoneyDialog
          card={card}
          movement={open === "withdraw" ? "withdraw" : "top-up"}
          isOpen={open === "top-up" || open === "withdraw"}
          onClose={close}
        />
        <TransferDialog card={card} isOpen={open === "transfer"} onClose={close} />
        <StatusDialog card={card} isOpen={open === "status"} onClose={close} />
        <TerminateDialog card={card} isOpen={open === "terminate"} onClose={close} />
        <RegularizeDialog card={card} isOpen={open === "regularize"} onClose={close} />
      </OnDemand>
    </>
  );
}
