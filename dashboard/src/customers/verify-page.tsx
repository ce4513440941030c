import type { KycVerification } from "@florin/sdk";
import { Alert, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconInfoCircle } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { useIsSandbox } from "../session/use-me.ts";
import { forgetRefusal, isAtField, showFieldErrors, toFirstError } from "../ui/form-errors.ts";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { FailureAlert } from "../ui/states.tsx";
import { type Applicant, bodyOf, emptyApplicant } from "./applicant.ts";
import { missingIn } from "./missing.ts";
import { AddressFields, BusinessFields, IndividualFields } from "./verify-fields.tsx";

/** To whom it made, to the verification itself, or, if its answer was lost, to where it is listed. */
function pathOf({ customerId, kycToken }: Partial<KycVerification>): string {
  if (customerId !== undefined) return `/customers/${customerId}`;
  return kycToken === undefined ? "/customers" : `/verifications/${kycToken}`;
}

export function VerifyPage() {
  const navigate = useNavigate();
  const isSandbox = useIsSandbox();
  const form = useForm<Applicant>({
    initialValues: emptyApplicant(),
    validate: missingIn,
    onValuesChange: () => forgetRefusal(verify),
  });
  const { kind } = form.values;
  const verify = useAction<Applicant, KycVerification>({
    run: (values, reference) =>
      call("POST", `/api/v1/kyc/${values.kind}`, { body: bodyOf(values), reference }),
    changes: ["/api/v1/customers", "/api/v1/kyc", "/api/v1/events", "/dashboard/home"],
    done: ({ status }) => `The verification is ${status}`,
    onDone: (verification) => void navigate({ to: pathOf(verification) }),
    isQuiet: true,
  });
  const send = (values: Applicant) =>
    verify.mutate(values, {
      onError: (error) => showFieldErrors(form, error, `${values.kind}Kyc`),
    });
  return (
    <Page
      title="Verify a customer"
      lead="Identity numbers and documents are encrypted, and never shown again."
      back={{ to: "/customers", label: "Customers" }}
    >
      <Panel>
        <form onSubmit={form.onSubmit(send, toFirstError(form))} noValidate>
          <Stack gap="md" maw={620}>
            <Group>
              <SegmentedControl
                aria-label="Kind of customer"
                data={[
                  { value: "individual", label: "Person" },
                  { value: "business", label: "Business" },
                ]}
                {...form.getInputProps("kind")}
              />
            </Group>
            {isSandbox && <SandboxHint kind={kind} />}
            {verify.error !== null && (
              <FailureAlert error={verify.error} isAtField={isAtField(form, `${kind}Kyc`)} />
            )}
            {kind === "individual" ? (
              <IndividualFields form={form} />
            ) : (
              <BusinessFields form={form} />
            )}
            <AddressFields form={form} />
            <Group>
              <Button type="submit" loading={verify.isPending}>
                Verify
              </Button>
            </Group>
          </Stack>
        </form>
      </Panel>
    </Page>
  );
}

function SandboxHint({ kind }: { kind: Applicant["kind"] }) {
  return (
    <Alert variant="light" color="gray" role="note" icon={<IconInfoCircle size={18} />}>
      <Text size="sm">
        {kind === "individual"
          ? "In the sandbox, BVN 22222222222 belongs to Ada Obi, and NIN 11111111111 to Chinedu Okafor, born 1990-01-31. Both live in Nigeria."
          : "In the sandbox, a business is approved after a few seconds, unless it is called Reject."}
      </Text>
    </Alert>
  );
}
