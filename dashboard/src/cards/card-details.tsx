import type { Card } from "@florin/sdk";
import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { addressLine } from "../ui/address.ts";
import { CopyText } from "../ui/copy.tsx";
import { Facts } from "../ui/facts.tsx";
import { Time } from "../ui/time.tsx";
import { expiryOf, inFours } from "./names.ts";

export function CardDetails({ card }: { card: Card }) {
  const metadata = Object.entries(card.metadata);
  return (
    <Facts
      facts={[
        ["Card id", <CopyText key="i" value={card.cardId} label="card id" />],
        [
          "Customer",
          <Anchor key="c" component={Link} to={`/customers/${card.customerId}`} size="sm">
            {card.nameOnCard}
          </Anchor>,
        ],
        [
          "Number",
          <span key="n" className="mono">
            {inFours(card.maskedPan)}
          </span>,
        ],
        ["Expires", expiryOf(card)],
        ["Brand", card.brand],
        ["Currency", card.currency],
        ["Issued", <Time key="t" at={card.createdAt} as="full" />],
        ["Contactless and device wallets", card.contactlessPayment ? "Allowed" : "Not allowed"],
        [
          "Billing address",
          card.billingAddress === null ? "None" : addressLine(card.billingAddress),
        ],
        card.terminatedAt !== undefined && [
          "Terminated",
          <Time key="x" at={card.terminatedAt} as="full" />,
        ],
        card.terminationReason !== undefined && ["Reason", card.terminationReason],
        metadata.length > 0 && [
          "Metadata",
          <code key="m" className="mono">
            {metadata.map(([name, value]) => `${name}: ${value}`).join(", ")}
          </code>,
        ],
      ]}
    />
  );
}
