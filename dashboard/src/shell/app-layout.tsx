import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { SearchButton } from "../search/search-button.tsx";
import { useMe } from "../session/use-me.ts";
import { Logo } from "../ui/logo.tsx";
import { AccountMenu } from "./account-menu.tsx";
import classes from "./app-layout.module.css";
import { NotForRole } from "./edge-pages.tsx";
import { isForOthers } from "./navigation.ts";
import { NavigationList } from "./navigation-list.tsx";
import { useLive } from "./use-live.ts";

/** Everything behind the log-in stands in this frame. */
export function AppLayout() {
  const me = useMe();
  const { pathname } = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  useLive();
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the drawer.
  useEffect(close, [pathname]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 236, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", md: "xl" }}
    >
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={isOpen ? "Close navigation" : "Open navigation"}
          />
          <Group gap="sm" wrap="nowrap" className={classes.brand}>
            <Logo withName />
          </Group>
          {me.environment === "sandbox" && <span className={classes.sandbox}>Sandbox</span>}
          <div className={classes.space} />
          <SearchButton />
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label="Main">
        <NavigationList />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        {/* What a screen remembers is nothing for whoever comes next. */}
        <div key={me.person?.personId} className={classes.content}>
          {isForOthers(me, pathname) ? <NotForRole role={me.person?.role ?? ""} /> : <Outlet />}
        </div>
      </AppShell.Main>
    </AppShell>
  );
}
