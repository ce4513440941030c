import { Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { FailureAlert } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import { MailSent } from "./mail-sent.tsx";

export function ForgottenPage() {
  const form = useForm({ initialValues: { email: "" } });
  const ask = useAction({
    run: (body: typeof form.values) => call("POST", "/dashboard/password/forgotten", { body }),
    isQuiet: true,
  });
  if (ask.isSuccess) return <MailSent email={form.values.email} what="set a new password" />;
  return (
    <Frame
      title="Forgotten password"
      lead="We send you a link to set a new one. It works for an hour."
    >
      <form onSubmit={form.onSubmit((values) => ask.mutate(values))}>
        <Stack gap="md">
          {ask.error !== null && <FailureAlert error={ask.error} />}
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            {...form.getInputProps("email")}
          />
          <Button type="submit" fullWidth loading={ask.isPending}>
            Send me the link
          </Button>
          <Text size="sm" ta="center">
            <Anchor component={Link} to="/log-in">
              Back to log in
            </Anchor>
          </Text>
        </Stack>
      </form>
    </Frame>
  );
}
