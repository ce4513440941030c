import { SimpleGrid } from "@mantine/core";
import type { ReactNode } from "react";

/** Two fields in a row, where there is room for their labels. */
export function SideBySide({ children }: { children: ReactNode }) {
  return <SimpleGrid cols={{ base: 1, xs: 2 }}>{children}</SimpleGrid>;
}
