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
  freeze: IconSnowflake,
  unfreeze: IconSnowflake,
  terminate: IconBan,
  regularize: IconScale,
};

const LABELS: Record<MenuAction, string> = {
  withdraw: "Withdraw to the wallet",
  transfer: "Transfer to another card",
  reissue: "Re-issue",
  freeze: "Freeze",
  unfreeze: "Unfreeze",
  terminate: "Terminate",
  regularize: "Regularize the balance",
};

// Each has a dialog of its own, which goes on asking the same, whatever becomes of the card meanwhile.
const MOVEMENTS = ["top-up", "withdraw"] as const;
const STATUS_CHANGES = ["freeze", "unfreeze"] as const;

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
        {MOVEMENTS.map((movement) => (
          <MoneyDialog
            key={movement}
            card={card}
            movement={movement}
            isOpen={open === movement}
            onClose={close}
          />
        ))}
        <TransferDialog card={card} isOpen={open === "transfer"} onClose={close} />
        {STATUS_CHANGES.map((verb) => (
          <StatusDialog key={verb} card={card} verb={verb} isOpen={open === verb} onClose={close} />
        ))}
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
    const search = { cardId: card.cardId };
    return (
      <Menu.Item
        renderRoot={(props) => <Link {...props} to="/cards/issue" search={search} />}
        leftSection={leftSection}
      >
        {LABELS[action]}
      </Menu.Item>
    );
  }
  return (
    <Menu.Item
      {...(action === "terminate" ? { color: "red" } : {})}
      leftSection={leftSection}
      onClick={() => onSelect(action)}
    >
      {LABELS[action]}
    </Menu.Item>
  );
}
