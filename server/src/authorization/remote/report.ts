export type RemoteDecision = "Approve" | "Decline";

/** What is kept of a question to an organization, with the decision that it led to. */
export interface RemoteReport {
  /** From sending to the whole answer, or to the moment when it was too late for one. */
  durationMs: number;
  timedOut: boolean;
  /** Whether the Default Authorization Decision stood in for an answer. */
  defaultUsed: boolean;
  /** Why there was no valid answer, for people. */
  error?: string;
  /** What the organization answered after the decision was made. It changed nothing. */
  lateDecision?: RemoteDecision;
  /** What the organization wanted to have noted. */
  metadata?: object;
}
