import {
  IconActivity,
  IconArrowsExchange,
  IconBuildingBank,
  IconClockPlay,
  IconCreditCard,
  IconHistory,
  IconHome,
  IconKey,
  IconListDetails,
  IconMail,
  IconShieldCheck,
  IconShoppingCart,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
  type TablerIcon,
} from "@tabler/icons-react";
import type { Me, Permission } from "../api/own-types.ts";

export interface Destination {
  to: string;
  label: string;
  icon: TablerIcon;
  needs?: Permission;
}

export interface Group {
  title?: string;
  destinations: Destination[];
}

const work: Group = {
  destinations: [
    { to: "/", label: "Home", icon: IconHome },
    { to: "/customers", label: "Customers", icon: IconUsers },
    { to: "/cards", label: "Cards", icon: IconCreditCard },
    { to: "/transactions", label: "Transactions", icon: IconArrowsExchange },
    { to: "/wallets", label: "Wallets", icon: IconBuildingBank },
    { to: "/events", label: "Events", icon: IconActivity },
  ],
};

const sandbox: Group = {
  title: "Sandbox",
  destinations: [
    {
      to: "/sandbox/terminal",
      label: "Virtual terminal",
      icon: IconShoppingCart,
      needs: "sandbox",
    },
    { to: "/sandbox/tools", label: "Clock and faults", icon: IconClockPlay, needs: "sandbox" },
    { to: "/mailbox", label: "Mailbox", icon: IconMail },
  ],
};

const developer: Group = {
  title: "Settings · Developer",
  destinations: [
    { to: "/settings/credentials", label: "Credentials", icon: IconKey, needs: "credentials" },
    { to: "/settings/authorization", label: "Card authorization", icon: IconShieldCheck },
    { to: "/settings/webhooks", label: "Webhooks", icon: IconWebhook },
    { to: "/settings/requests", label: "API requests", icon: IconListDetails, needs: "requests" },
  ],
};

const organization: Group = {
  title: "Settings · Organization",
  destinations: [
    { to: "/settings/team", label: "Team", icon: IconUsersGroup },
    { to: "/settings/audit", label: "Audit log", icon: IconHistory, needs: "audit" },
    { to: "/settings/profile", label: "Your profile", icon: IconUserCircle },
  ],
};

/** Where this person may go. The service enforces it; this only spares them closed doors. */
export function navigationFor({ environment, hasMailbox, permissions = [] }: Me): Group[] {
  const groups =
    environment === "sandbox"
      ? [work, sandbox, developer, organization]
      : [work, developer, organization];
  return groups.map((group) => ({
    ...group,
    destinations: group.destinations.filter(
      ({ to, needs }) =>
        (needs === undefined || permissions.includes(needs)) && (to !== "/mailbox" || hasMailbox),
    ),
  }));
}

const forms: Pick<Destination, "to" | "needs">[] = [
  { to: "/cards/issue", needs: "cards.issue" },
  { to: "/customers/verify", needs: "kyc" },
];

const guarded = [sandbox, developer, organization].flatMap((group) => group.destinations);

/** Whether a screen is for others only, however this person has got there. */
export function isForOthers({ permissions = [] }: Me, pathname: string): boolean {
  const place = pathname.replace(/\/+$/, "");
  const { needs } = [...forms, ...guarded].find(({ to }) => to === place) ?? {};
  return needs !== undefined && !permissions.includes(needs);
}
