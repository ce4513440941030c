import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./base.css";
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/queries.ts";
import { router } from "./router.tsx";
import { cssVariables, theme } from "./theme.ts";

const schemes = localStorageColorSchemeManager({ key: "florin-color-scheme" });

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no place for the application.");

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <Notifications position="bottom-right" limit={4} />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
