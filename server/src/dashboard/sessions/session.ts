import type { Role } from "../access/roles.ts";

/** How far somebody has come: the password alone, no second factor yet, or all the way. */
export const sessionStates = ["Totp", "EnrolTotp", "Full"] as const;
export type SessionState = (typeof sessionStates)[number];

/** A session with the person it belongs to, as it stands at this moment. */
export interface Session {
  sessionId: string;
  state: SessionState;
  organizationId: string;
  organizationName: string;
  isEnabled: boolean;
  personId: string;
  name: string;
  email: string;
  role: Role;
  lastSeenAt: Date;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set for every request of the dashboard that came with a live session. */
    session: Session | undefined;
    /** The browser's own token, if it has one. */
    deviceToken: string | undefined;
  }
}
