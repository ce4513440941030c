import type { KycVerification } from "@florin/sdk";
import { Button, Divider, Group, Text } from "@mantine/core";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { useCan, useIsSandbox } from "../session/use-me.ts";

/** In the sandbox, the reader is the provider. */
export function DecideVerification({ kyc }: { kyc: KycVerification }) {
  const isSandbox = useIsSandbox();
  const can = useCan();
  const decide = useAction<object>({
    run: (body, reference) =>
      call("POST", `/api/v1/simulator/kyc/${kyc.kycToken}`, { body, reference }),
    changes: ["/api/v1/kyc", "/api/v1/customers", "/api/v1/events", "/dashboard/home"],
    done: "Decided",
  });
  const isOpen = kyc.status === "Initiated" || kyc.status === "Pending";
  if (!isSandbox || !can("sandbox") || !isOpen) return null;
  return (
    <>
      <Divider my="md" />
      <Text size="sm" mb="xs">
        Sandbox: decide in the provider's place.
      </Text>
      <Group gap="xs">
        <Button size="xs" onClick={() => decide.mutate({ status: "Approved" })}>
          Approve
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            decide.mutate({ status: "Rejected", rejectType: "RETRY", rejectLabels: ["UNREADABLE"] })
          }
        >
          Reject as unreadable
        </Button>
      </Group>
    </>
  );
}
