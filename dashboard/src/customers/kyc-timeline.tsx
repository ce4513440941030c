import type { Event as FlorinEvent, KycVerification } from "@florin/sdk";
import { Alert, Text, Timeline } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { resourceQuery } from "../api/queries.ts";
import { CopyText } from "../ui/copy.tsx";
import { Panel } from "../ui/panel.tsx";
import { Loaded } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { DecideVerification } from "./decide-verification.tsx";
import { sayLabel } from "./reject-labels.ts";

type KycStatus = KycVerification["status"];

const MEANING: Record<KycStatus, string> = {
  Initiated: "The verification has started.",
  Pending: "The provider is looking at it.",
  Approved: "Verified. Cards can be issued.",
  Rejected: "Not verified.",
};

interface KycTimelineProps {
  kycToken: string;
  clientReference: string;
  title?: string;
}

/** Where a verification stands and how it got there. */
export function KycTimeline({ kycToken, clientReference, title }: KycTimelineProps) {
  const verification = useQuery(resourceQuery<KycVerification>(`/api/v1/kyc/${kycToken}`));
  const events = useQuery(
    resourceQuery<FlorinEvent[]>("/api/v1/events", { clientReference, limit: 100 }),
  );
  return (
    <Panel title={title ?? "Verification"} isTall>
      <Loaded query={verification} rows={3}>
        {(kyc) => (
          <>
            <Steps
              kyc={kyc}
              events={(events.data ?? []).filter((event) => isAbout(event, kycToken))}
            />
            <Rejection kyc={kyc} />
            <Text size="sm" c="dimmed" mt="md">
              KYC token
            </Text>
            <CopyText value={kycToken} label="KYC token" />
            <DecideVerification kyc={kyc} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const isAbout = ({ eventType, data }: FlorinEvent, kycToken: string): boolean =>
  eventType.startsWith("kyc.") && data.kycToken === kycToken;

function Steps({ kyc, events }: { kyc: KycVerification; events: FlorinEvent[] }) {
  const steps = events.toReversed().map((event) => ({
    at: event.createdAt as string | undefined,
    status: statusOf(event.eventType) ?? kyc.status,
  }));
  // A synchronous verification answers at once and may leave no event.
  if (steps.at(-1)?.status !== kyc.status) steps.push({ at: undefined, status: kyc.status });
  return (
    <Timeline active={steps.length - 1} bulletSize={14} lineWidth={2}>
      {steps.map(({ at, status }) => (
        <Timeline.Item key={status} title={<Status value={status} />}>
          <Text size="sm" mt={4}>
            {MEANING[status]}
          </Text>
          {at !== undefined && (
            <Text size="xs" c="dimmed">
              <Time at={at} as="full" />
            </Text>
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function statusOf(eventType: string): KycStatus | undefined {
  const statuses: Record<string, KycStatus> = {
    "kyc.initiated": "Initiated",
    "kyc.pending": "Pending",
    "kyc.approved": "Approved",
    "kyc.rejected": "Rejected",
  };
  return statuses[eventType];
}

function Rejection({ kyc }: { kyc: KycVerification }) {
  if (kyc.status !== "Rejected") return null;
  return (
    <Alert color="red" variant="light" mt="md" title="Why it was rejected">
      <Text size="sm">
        {(kyc.rejectLabels ?? []).map(sayLabel).join("; ") || "The provider gave no reason."}
      </Text>
      <Text size="sm" mt={4}>
        {kyc.rejectType === "RETRY"
          ? "The customer may try again with better documents."
          : "This decision is final."}
      </Text>
    </Alert>
  );
}
