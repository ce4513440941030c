import { Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { isAtField, showFieldErrors } from "../ui/form-errors.ts";
import { FailureAlert } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import { MailSent } from "./mail-sent.tsx";

export function SignUpPage() {
  const form = useForm({ initialValues: { organizationName: "", name: "", email: "" } });
  const signUp = useAction({
    run: (body: typeof form.values) => call("POST", "/dashboard/sign-up", { body }),
    isQuiet: true,
  });
  if (signUp.isSuccess) return <MailSent email={form.values.email} what="finish signing up" />;
  const send = (values: typeof form.values) =>
    signUp.mutate(values, { onError: (error) => showFieldErrors(form, error) });
  return (
    <Frame
      title="Create an organization"
      lead="We send a link to your e-mail address. It works for 24 hours."
    >
      <form onSubmit={form.onSubmit(send)}>
        <Stack gap="md">
          {signUp.error !== null && (
            <FailureAlert error={signUp.error} isAtField={isAtField(form)} />
          )}
          <TextInput
            label="Organization"
            autoComplete="organization"
            required
            withAsterisk={false}
            {...form.getInputProps("organizationName")}
          />
          <TextInput
            label="Your name"
            autoComplete="name"
            required
            withAsterisk={false}
            {...form.getInputProps("name")}
          />
          <TextInput
            label="Your e-mail"
            type="email"
            autoComplete="email"
            required
            withAsterisk={false}
            {...form.getInputProps("email")}
          />
          <Button type="submit" fullWidth loading={signUp.isPending}>
            Send me the link
          </Button>
          <Text size="sm" c="dimmed" ta="center">
            Already here?{" "}
            <Anchor component={Link} to="/log-in" underline="always">
              Log in
            </Anchor>
          </Text>
        </Stack>
      </form>
    </Frame>
  );
}
