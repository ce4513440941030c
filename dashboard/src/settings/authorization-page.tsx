import type { CardAuthorizationSettings } from "@florin/sdk";
import {
  Alert,
  Anchor,
  Button,
  Group,
  Radio,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { resourceQuery } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { useCan } from "../session/use-me.ts";
import { forgetRefusal, isAtField, showFieldErrors } from "../ui/form-errors.ts";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { FailureAlert, Loaded } from "../ui/states.tsx";
import { AuthorizationUrlTest } from "./authorization-url-test.tsx";

const PATH = "/api/v1/settings/card-authorization";

export function AuthorizationPage() {
  const settings = useQuery(resourceQuery<CardAuthorizationSettings>(PATH));
  return (
    <Page
      title="Card Transaction Authorization"
      lead="Who decides whether a purchase is approved: the service alone, or your own server."
    >
      <Loaded query={settings}>
        {(data) => (
          <>
            <SettingsForm key={JSON.stringify(data)} settings={data} />
            {data.model === "CustomerManaged" && <AuthorizationUrlTest />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function SettingsForm({ settings }: { settings: CardAuthorizationSettings }) {
  const can = useCan();
  const isLocked = !can("authorization-settings");
  const form = useForm({
    initialValues: {
      model: settings.model,
      authorizationUrl: settings.authorizationUrl ?? "",
      defaultAuthorizationDecision: settings.defaultAuthorizationDecision ?? "AutoDecline",
    },
    onValuesChange: () => forgetRefusal(save),
  });
  const save = useAction<typeof form.values>({
    run: (values, reference) => call("PUT", PATH, { body: bodyOf(values), reference }),
    changes: [PATH],
    done: "The settings are saved and in force",
    isQuiet: true,
  });
  const send = (values: typeof form.values) =>
    save.mutate(values, { onError: (error) => showFieldErrors(form, error) });
  const isManaged = form.values.model === "CustomerManaged";
  return (
    <Panel>
      <form onSubmit={form.onSubmit(send)} noValidate>
        <Stack gap="md" maw={620}>
          {save.error !== null && <FailureAlert error={save.error} isAtField={isAtField(form)} />}
          {isLocked && (
            <Alert variant="light" color="gray" role="note">
              Your role may look at these settings, not change them.
            </Alert>
          )}
          <div>
            <SegmentedControl
              aria-label="Who decides"
              disabled={isLocked}
              data={[
                { value: "ServiceManaged", label: "The service decides" },
                { value: "CustomerManaged", label: "We decide" },
              ]}
              {...form.getInputProps("model")}
            />
            <Text size="sm" c="dimmed" mt={6}>
              {isManaged
                ? "What passes the service's own checks is sent to your server, which has 400 ms to approve or decline. Your wallet funds the purchases."
                : "The service checks status, limits, lists and balance by itself. Nothing to integrate."}
            </Text>
          </div>
          {isManaged && (
            <>
              <TextInput
                label="Authorization URL"
                placeholder="https://example.com/authorizations"
                type="url"
                readOnly={isLocked}
                {...form.getInputProps("authorizationUrl")}
              />
              <SignedBy />
              <Radio.Group
                label="Default Authorization Decision"
                description="What happens when your server is too slow, down, or answers nonsense"
                {...form.getInputProps("defaultAuthorizationDecision")}
              >
                <Stack gap="xs" mt="xs">
                  <Radio value="AutoDecline" label="Auto Decline" disabled={isLocked} />
                  <Radio value="AutoApprove" label="Auto Approve" disabled={isLocked} />
                </Stack>
              </Radio.Group>
            </>
          )}
          {!isLocked && (
            <Group>
              <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
                Save
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Panel>
  );
}

/** Where to get what the server at the address verifies with. */
function SignedBy() {
  const can = useCan();
  return (
    <Text size="sm" c="dimmed">
      Everything that is sent there is signed with your organization's signing secret.{" "}
      {can("credentials") ? (
        <>
          Get or rotate it on the page{" "}
          <Anchor component={Link} to="/settings/credentials" size="sm">
            Credentials
          </Anchor>
          .
        </>
      ) : (
        "Owners and developers get it on the page Credentials."
      )}
    </Text>
  );
}

interface Values {
  model: CardAuthorizationSettings["model"];
  authorizationUrl: string;
  defaultAuthorizationDecision: string;
}

function bodyOf({ model, authorizationUrl, defaultAuthorizationDecision }: Values): object {
  if (model === "ServiceManaged") return { model };
  return { model, authorizationUrl: authorizationUrl.trim(), defaultAuthorizationDecision };
}
