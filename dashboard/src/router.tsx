import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import { call } from "./api/client.ts";
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

/**
 * A part of the page, fetched when it is needed. One that is not there any more makes the router load the whole
 * page anew; while the service is out of reach, that would leave nothing of it.
 */
const lazy: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        await call("GET", "/dashboard/me");
        throw error;
      }),
    name,
  );

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
  component: lazy(() => import("./shell/app-layout.tsx"), "AppLayout"),
});

/** A screen behind the log-in, fetched when somebody goes there. */
const screen = (path: string, component: RouteComponent) =>
  createRoute({ getParentRoute: () => appRoute, path, component, errorComponent: Broken });

const screens = [
  screen(
    "/",
    lazy(() => import("./home/home-page.tsx"), "HomePage"),
  ),
  screen(
    "/cards",
    lazy(() => import("./cards/cards-page.tsx"), "CardsPage"),
  ),
  screen(
    "/cards/issue",
    lazy(() => import("./cards/issue-page.tsx"), "IssuePage"),
  ),
  screen(
    "/cards/$cardId",
    lazy(() => import("./cards/card-page.tsx"), "CardPage"),
  ),
  screen(
    "/transactions",
    lazy(() => import("./transactions/transactions-page.tsx"), "TransactionsPage"),
  ),
  screen(
    "/transactions/$transactionId",
    lazy(() => import("./transactions/transaction-page.tsx"), "TransactionPage"),
  ),
  screen(
    "/customers",
    lazy(() => import("./customers/customers-page.tsx"), "CustomersPage"),
  ),
  screen(
    "/customers/verify",
    lazy(() => import("./customers/verify-page.tsx"), "VerifyPage"),
  ),
  screen(
    "/customers/$customerId",
    lazy(() => import("./customers/customer-page.tsx"), "CustomerPage"),
  ),
  screen(
    "/verifications/$kycToken",
    lazy(() => import("./customers/verification-page.tsx"), "VerificationPage"),
  ),
  screen(
    "/wallets",
    lazy(() => import("./wallets/wallets-page.tsx"), "WalletsPage"),
  ),
  screen(
    "/wallets/$walletId",
    lazy(() => import("./wallets/wallet-page.tsx"), "WalletPage"),
  ),
  screen(
    "/events",
    lazy(() => import("./events/events-page.tsx"), "EventsPage"),
  ),
  screen(
    "/events/$eventId",
    lazy(() => import("./events/event-page.tsx"), "EventPage"),
  ),
  screen(
    "/sandbox/terminal",
    lazy(() => import("./sandbox/terminal-page.tsx"), "TerminalPage"),
  ),
  screen(
    "/sandbox/tools",
    lazy(() => import("./sandbox/tools-page.tsx"), "ToolsPage"),
  ),
  screen(
    "/settings/credentials",
    lazy(() => import("./settings/credentials-page.tsx"), "CredentialsPage"),
  ),
  screen(
    "/settings/webhooks",
    lazy(() => import("./settings/webhooks-page.tsx"), "WebhooksPage"),
  ),
  screen(
    "/settings/webhooks/$webhookEndpointId",
    lazy(() => import("./settings/webhook-page.tsx"), "WebhookPage"),
  ),
  screen(
    "/settings/authorization",
    lazy(() => import("./settings/authorization-page.tsx"), "AuthorizationPage"),
  ),
  screen(
    "/settings/requests",
    lazy(() => import("./settings/requests-page.tsx"), "RequestsPage"),
  ),
  screen(
    "/settings/team",
    lazy(() => import("./people/team-page.tsx"), "TeamPage"),
  ),
  screen(
    "/settings/audit",
    lazy(() => import("./people/audit-page.tsx"), "AuditPage"),
  ),
  screen(
    "/settings/profile",
    lazy(() => import("./people/profile-page.tsx"), "ProfilePage"),
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
    lazy(() => import("./session/sign-up-page.tsx"), "SignUpPage"),
  ),
  open(
    "/registration",
    lazy(() => import("./session/registration-page.tsx"), "RegistrationPage"),
  ),
  open(
    "/forgotten-password",
    lazy(() => import("./session/forgotten-page.tsx"), "ForgottenPage"),
  ),
  open(
    "/reset",
    lazy(() => import("./session/reset-page.tsx"), "ResetPage"),
  ),
  open(
    "/mailbox",
    lazy(() => import("./session/mailbox-page.tsx"), "MailboxPage"),
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
