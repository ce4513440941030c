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
import { MoneyDialog } from "./money-dialog.tsx";
import { type CardAction, possibleActions } from "./possible-actions.ts";
import { RegularizeDialog, StatusDialog, TerminateDialog } from "./status-dialogs.tsx";
import { TransferDialog } from "./transfer-dialog.tsx";

type MenuAction = Exclude<CardAction, "top-up">;

const ICONS: Record<MenuAction, typeof IconBan> = {
  withdraw: IconArrowUpRight,
  transfer: IconArrowsExchange,
  reissue: IconCopyPlus,
  status: IconSnowflake,
  terminate: IconBan,
  regularize: IconScale,
};

const LABELS: Record<Exclude<MenuAction, "status">, string> = {
  withdraw: "Withdraw to the wallet",
  transfer: "Transfer to another card",
  reissue: "Re-issue",
  terminate: "Terminate",
  regularize: "Regularize the balance",
};

/** What can be done with this card: topping it up at once, the rest from a menu. */
export function CardActions({ card }: { card: Card }) {
  const actions = possibleActions(card, useCan());
  const inMenu = actions.filter((action) => action !== "top-up");
  const [open, setOpen] = useState<CardAction>();
  const close = () => setOpen(undefined);
  return (
    <>
      {actions.includes("top-up") && (
        <Button leftSection={<IconArrowDownLeft size={16} />} onClick={() => setOpen("top-up")}>
          Top up
        </Button>
      )}
      {inMenu.length > 0 && (
        <Menu position="bottom-end" width={230}>
          <Menu.Target>
            <Button variant="default" rightSection={<IconChevronDown size={16} />}>
              Actions
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {inMenu.map((action) => (
              <ActionItem key={action} card={card} action={action} onSelect={setOpen} />
            ))}
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

interface ActionItemProps {
  card: Card;
  action: MenuAction;
  onSelect: (action: MenuAction) => void;
}

function ActionItem({ card, action, onSelect }: ActionItemProps) {
  const Icon = ICONS[action];
  const leftSection = <Icon size={16} />;
  if (action === "reissue") {
    const search = { customerId: card.customerId, cardId: card.cardId };
    return (
      <Menu.Item
        renderRoot={(props) => <Link {...props} to="/cards/issue" search={search} />}
        leftSection={leftSection}
      >
        {LABELS[action]}
      </Menu.Item>
    );
  }
  const change = card.status === "Frozen" ? "Unfreeze" : "Freeze";
  return (
    <Menu.Item
      {...(action === "terminate" ? { color: "red" } : {})}
      leftSection={leftSection}
      onClick={() => onSelect(action)}
    >
      {action === "status" ? change : LABELS[action]}
    </Menu.Item>
  );
}
