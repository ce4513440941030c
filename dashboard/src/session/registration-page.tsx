import { Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import type { Registration } from "../api/own-types.ts";
import { useAction } from "../api/use-action.ts";
import { isAtField, showFieldErrors } from "../ui/form-errors.ts";
import { FailureAlert, Loading } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import { NewPassword } from "./new-password.tsx";
import { isSpent, useLink } from "./use-link.ts";
import { refreshMe } from "./use-me.ts";

export function RegistrationPage() {
  const { token = "" } = useSearch({ strict: false }) as { token?: string };
  const link = useLink<Registration>("/dashboard/registration", token);
  if (link.isSpent) return <Spent />;
  if (link.data !== undefined) return <RegistrationForm token={token} registration={link.data} />;
  return (
    <Frame title="Registration">
      {link.error === null ? (
        <Loading rows={3} />
      ) : (
        <FailureAlert error={link.error} onRetry={() => void link.refetch()} />
      )}
    </Frame>
  );
}

function Spent() {
  return (
    <Frame title="This link does not work any more">
      <Text size="sm">
        It has been used or withdrawn, has expired, or was cut short on its way. Ask whoever invited
        you for a new one,{" "}
        <Anchor component={Link} to="/sign-up" underline="always">
          sign up again
        </Anchor>
        , or{" "}
        <Anchor component={Link} to="/log-in" underline="always">
          log in
        </Anchor>{" "}
        if you have finished before.
      </Text>
    </Frame>
  );
}

function RegistrationForm({ token, registration }: { token: string; registration: Registration }) {
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: registration.name, password: "" } });
  const register = useAction({
    run: (body: typeof form.values) =>
      call("POST", "/dashboard/registration", { body: { ...body, token } }),
    onDone: async () => {
      await refreshMe();
      await navigate({ to: "/log-in", replace: true });
    },
    isQuiet: true,
  });
  if (isSpent(register.error)) return <Spent />;
  const send = (values: typeof form.values) =>
    register.mutate(values, { onError: (error) => showFieldErrors(form, error) });
  const isInvitation = registration.kind === "Invitation";
  return (
    <Frame
      title={isInvitation ? `Join ${registration.organizationName}` : "Choose your password"}
      lead={
        isInvitation
          ? `You are invited as ${registration.role}, with ${registration.email}.`
          : `You will own ${registration.organizationName} and log in with ${registration.email}.`
      }
    >
      <form onSubmit={form.onSubmit(send)}>
        <Stack gap="md">
          {register.error !== null && (
            <FailureAlert error={register.error} isAtField={isAtField(form)} />
          )}
          <input type="hidden" autoComplete="username" value={registration.email} readOnly />
          <TextInput
            label="Your name"
            autoComplete="name"
            required
            withAsterisk={false}
            {...form.getInputProps("name")}
          />
          <NewPassword label="Password" {...form.getInputProps("password")} />
          <Button type="submit" fullWidth loading={register.isPending}>
            Continue
          </Button>
        </Stack>
      </form>
    </Frame>
  );
}
