import { Anchor, Button, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { isAtField, showFieldErrors } from "../ui/form-errors.ts";
import { FailureAlert, Loading } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import { NewPassword } from "./new-password.tsx";
import { isSpent, useLink } from "./use-link.ts";
import { refreshMe } from "./use-me.ts";

export function ResetPage() {
  const { token = "" } = useSearch({ strict: false }) as { token?: string };
  const link = useLink("/dashboard/password/reset", token);
  if (link.isSpent) return <Spent />;
  if (link.isPending) {
    return (
      <Frame title="Set a new password">
        <Loading rows={2} />
      </Frame>
    );
  }
  // If nobody could tell, sending the form will.
  return <ResetForm token={token} />;
}

function ResetForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const form = useForm({ initialValues: { password: "" } });
  const reset = useAction({
    run: (body: typeof form.values) =>
      call("POST", "/dashboard/password/reset", { body: { ...body, token } }),
    onDone: async () => {
      await refreshMe();
      await navigate({ to: "/log-in", replace: true });
    },
    isQuiet: true,
  });
  if (isSpent(reset.error)) return <Spent />;
  const send = (values: typeof form.values) =>
    reset.mutate(values, { onError: (error) => showFieldErrors(form, error) });
  return (
    <Frame
      title="Set a new password"
      lead="Your other sessions end. Two-factor authentication stays as it is."
    >
      <form onSubmit={form.onSubmit(send)}>
        <Stack gap="md">
          {reset.error !== null && <FailureAlert error={reset.error} isAtField={isAtField(form)} />}
          <NewPassword {...form.getInputProps("password")} />
          <Button type="submit" fullWidth loading={reset.isPending}>
            Set password
          </Button>
        </Stack>
      </form>
    </Frame>
  );
}

function Spent() {
  return (
    <Frame title="This link does not work any more">
      <Text size="sm">
        It has been used, has expired, or was cut short on its way.{" "}
        <Anchor component={Link} to="/forgotten-password" underline="always">
          Ask for a new one
        </Anchor>
        , or{" "}
        <Anchor component={Link} to="/log-in" underline="always">
          log in
        </Anchor>{" "}
        if you have set your password already.
      </Text>
    </Frame>
  );
}
