import type { LoggedRequest } from "../api/own-types.ts";

export const duration = ({ durationMs }: LoggedRequest): string =>
  `${Math.round(durationMs * 10) / 10} ms`;
