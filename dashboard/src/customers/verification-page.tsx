import type { KycVerification } from "@florin/sdk";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { resourceQuery } from "../api/queries.ts";
import { Page } from "../ui/page.tsx";
import { Loaded } from "../ui/states.tsx";
import { KycTimeline } from "./kyc-timeline.tsx";

/** A verification that has no customer yet, or never will. */
export function VerificationPage() {
  const { kycToken = "" } = useParams({ strict: false });
  const verification = useQuery(resourceQuery<KycVerification>(`/api/v1/kyc/${kycToken}`));
  const { data } = verification;
  return (
    <Page
      title={data === undefined ? "Verification" : `Verification of ${data.clientReference}`}
      back={{ to: "/customers", label: "Customers" }}
      actions={
        data?.customerId !== undefined && (
          <Button component={Link} to={`/customers/${data.customerId}`}>
            Open the customer
          </Button>
        )
      }
    >
      <Loaded query={verification}>
        {({ clientReference }) => (
          <KycTimeline kycToken={kycToken} clientReference={clientReference} title="Progress" />
        )}
      </Loaded>
    </Page>
  );
}
