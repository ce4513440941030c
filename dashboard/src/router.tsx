import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import { queryClient } from "./api/queries.ts";
import { LogInPage } from "./session/log-in-page.tsx";
import { isOwnPath } from "./session/own-path.ts";
import { onTurn } from "./session/turns.ts";
import { meQuery } from "./session/use-me.ts";
import { Broken, NotFound, Waiting } from "./shell/edge-pages.tsx";

const rootRoute = createRootRoute({
  loader: () => queryClient.ensureQueryData(meQuery),
  component: Outlet,
  errorComponent: Broken,
  pendingComponent: Waiting,
  notFoundComponent: NotFound,
});

const open = (path: string, component: RouteComponent) =>
  createRoute({ getParentRoute: () => rootRoute, path, component });

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "app",
  beforeLoad: async ({ location }) => {
    const { state } = await queryClient.ensureQueryData(meQuery);
    if (state === "Full") return;
    throw redirect({
      to: "/log-in",
      search: location.href === "/" ? {} : { next: location.href },
      replace: true,
    });
  },
  component: lazyRouteComponent(() => import("./shell/app-layout.tsx"), "AppLayout"),
});

/** A screen behind the log-in, fetched when somebody goes there. */
const screen = (path: string, component: RouteComponent) =>
  createRoute({ getParentRoute: () => appRoute, path, component, errorComponent: Broken });

const screens = [
  screen(
    "/",
    lazyRouteComponent(() => import("./home/home-page.tsx"), "HomePage"),
  ),
  screen(
    "/cards",
    lazyRouteComponent(() => import("./cards/cards-page.tsx"), "CardsPage"),
  ),
  screen(
    "/cards/issue",
    lazyRouteComponent(() => import("./cards/issue-page.tsx"), "IssuePage"),
  ),
  screen(
    "/cards/$cardId",
    lazyRouteComponent(() => import("./cards/card-page.tsx"), "CardPage"),
  ),
  screen(
    "/transactions",
    lazyRouteComponent(() => import("./transactions/transactions-page.tsx"), "TransactionsPage"),
  ),
  screen(
    "/transactions/$transactionId",
    lazyRouteComponent(() => import("./transactions/transaction-page.tsx"), "TransactionPage"),
  ),
  screen(
    "/customers",
    lazyRouteComponent(() => import("./customers/customers-page.tsx"), "CustomersPage"),
  ),
  screen(
    "/customers/verify",
    lazyRouteComponent(() => import("./customers/verify-page.tsx"), "VerifyPage"),
  ),
  screen(
    "/customers/$customerId",
    lazyRouteComponent(() => import("./customers/customer-page.tsx"), "CustomerPage"),
  ),
  screen(
    "/verifications/$kycToken",
    lazyRouteComponent(() => import("./customers/verification-page.tsx"), "VerificationPage"),
  ),
  screen(
    "/wallets",
    lazyRouteComponent(() => import("./wallets/wallets-page.tsx"), "WalletsPage"),
  ),
  screen(
    "/wallets/$walletId",
    lazyRouteComponent(() => import("./wallets/wallet-page.tsx"), "WalletPage"),
  ),
  screen(
    "/events",
    lazyRouteComponent(() => import("./events/events-page.tsx"), "EventsPage"),
  ),
  screen(
    "/events/$eventId",
    lazyRouteComponent(() => import("./events/event-page.tsx"), "EventPage"),
  ),
  screen(
    "/sandbox/terminal",
    lazyRouteComponent(() => import("./sandbox/terminal-page.tsx"), "TerminalPage"),
  ),
  screen(
    "/sandbox/tools",
    lazyRouteComponent(() => import("./sandbox/tools-page.tsx"), "ToolsPage"),
  ),
  screen(
    "/settings/credentials",
    lazyRouteComponent(() => import("./settings/credentials-page.tsx"), "CredentialsPage"),
  ),
  screen(
    "/settings/webhooks",
    lazyRouteComponent(() => import("./settings/webhooks-page.tsx"), "WebhooksPage"),
  ),
  screen(
    "/settings/webhooks/$webhookEndpointId",
    lazyRouteComponent(() => import("./settings/webhook-page.tsx"), "WebhookPage"),
  ),
  screen(
    "/settings/authorization",
    lazyRouteComponent(() => import("./settings/authorization-page.tsx"), "AuthorizationPage"),
  ),
  screen(
    "/settings/requests",
    lazyRouteComponent(() => import("./settings/requests-page.tsx"), "RequestsPage"),
  ),
  screen(
    "/settings/team",
    lazyRouteComponent(() => import("./people/team-page.tsx"), "TeamPage"),
  ),
  screen(
    "/settings/audit",
    lazyRouteComponent(() => import("./people/audit-page.tsx"), "AuditPage"),
  ),
  screen(
    "/settings/profile",
    lazyRouteComponent(() => import("./people/profile-page.tsx"), "ProfilePage"),
  ),
];

const logInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/log-in",
  component: LogInPage,
  beforeLoad: async ({ search }) => {
    const { state } = await queryClient.ensureQueryData(meQuery);
    if (state !== "Full") return;
    const { next } = search as { next?: string };
    throw redirect({ href: isOwnPath(next) ? next : "/", replace: true });
  },
});

const routeTree = rootRoute.addChildren([
  appRoute.addChildren(screens),
  logInRoute,
  open(
    "/sign-up",
    lazyRouteComponent(() => import("./session/sign-up-page.tsx"), "SignUpPage"),
  ),
  open(
    "/registration",
    lazyRouteComponent(() => import("./session/registration-page.tsx"), "RegistrationPage"),
  ),
  open(
    "/forgotten-password",
    lazyRouteComponent(() => import("./session/forgotten-page.tsx"), "ForgottenPage"),
  ),
  open(
    "/reset",
    lazyRouteComponent(() => import("./session/reset-page.tsx"), "ResetPage"),
  ),
  open(
    "/mailbox",
    lazyRouteComponent(() => import("./session/mailbox-page.tsx"), "MailboxPage"),
  ),
]);

/** Plain text in the address: what looks like a number stays a word. */
export const router = createRouter({
  routeTree,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === "" ? "" : `?${text}`;
  },
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultPendingComponent: Waiting,
  defaultPendingMs: 300,
});

onTurn(() => router.invalidate());
