import { Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { one } from "../api/queries.ts";
import type { KycVerification } from "../api/types.ts";
import { Page } from "../ui/page.tsx";
import { Loaded } from "../ui/states.tsx";
import { KycTimeline } from "./kyc-timeline.tsx";

/** A verification that has no customer yet, or never will. */
export function VerificationPage() {
  const { kycToken = "" } = useParams({ strict: false });
  const verification = useQuery(one<KycVerification>(`/api/v1/kyc/${kycToken}`));
  return (
    <Page title="Verification" back={{ to: "/customers", label: "Customers" }}>
      <Loaded query={verification}>
        {({ clientReference, customerId }) => (
          <Stack gap="lg" maw={560}>
            <KycTimeline kycToken={kycToken} clientReference={clientReference} />
            {customerId !== undefined && (
              <Button component={Link} to={`/customers/${customerId}`}>
                Open the customer
              </Button>
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
