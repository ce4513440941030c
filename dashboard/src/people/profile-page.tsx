import { Button, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { NewPassword } from "../session/new-password.tsx";
import { refreshMe, useMe } from "../session/use-me.ts";
import { Facts } from "../ui/facts.tsx";
import { isAtField, showFieldErrors } from "../ui/form-errors.ts";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { FailureAlert } from "../ui/states.tsx";
import { SecondFactorPanel } from "./second-factor.tsx";
import { Sessions } from "./sessions.tsx";

export function ProfilePage() {
  const { person, organization } = useMe();
  return (
    <Page title="Your profile">
      <Panel title="You">
        <Facts
          facts={[
            ["Name", person?.name],
            ["Role", person?.role],
            ["Organization", organization?.name],
            [
              "E-mail",
              <span key="e" data-long>
                {person?.email}
              </span>,
            ],
          ]}
        />
      </Panel>
      <PasswordPanel />
      <SecondFactorPanel />
      <Sessions />
    </Page>
  );
}

function PasswordPanel() {
  const form = useForm({ initialValues: { currentPassword: "", password: "" } });
  const change = useAction<typeof form.values>({
    run: (body) => call("POST", "/dashboard/password", { body }),
    changes: ["/dashboard/sessions"],
    done: "Your password is changed; your other sessions have ended",
    onDone: () => {
      form.reset();
      void refreshMe();
    },
    isQuiet: true,
    isSecret: true,
  });
  const send = (values: typeof form.values) =>
    change.mutate(values, { onError: (error) => showFieldErrors(form, error) });
  return (
    <Panel title="Password" lead="Changing it ends your other sessions.">
      <form onSubmit={form.onSubmit(send)}>
        <Stack gap="md" maw={420}>
          {change.error !== null && (
            <FailureAlert error={change.error} isAtField={isAtField(form)} />
          )}
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            {...form.getInputProps("currentPassword")}
          />
          <NewPassword {...form.getInputProps("password")} />
          <Button type="submit" variant="default" loading={change.isPending}>
            Change the password
          </Button>
        </Stack>
      </form>
    </Panel>
  );
}
