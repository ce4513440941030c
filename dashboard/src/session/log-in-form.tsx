import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { FailureAlert } from "../ui/states.tsx";
import { refreshMe } from "./use-me.ts";

export function LogInForm() {
  const form = useForm({ initialValues: { email: "", password: "" } });
  const logIn = useAction({
    run: (body: typeof form.values) => call("POST", "/dashboard/log-in", { body }),
    onDone: () => void refreshMe(),
    isQuiet: true,
  });
  return (
    <form onSubmit={form.onSubmit((values) => logIn.mutate(values))}>
      <Stack gap="md">
        {logIn.error !== null && <FailureAlert error={logIn.error} />}
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          {...form.getInputProps("email")}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          {...form.getInputProps("password")}
        />
        <Button type="submit" fullWidth loading={logIn.isPending}>
          Continue
        </Button>
        <Text size="sm" ta="center">
          <Anchor component={Link} to="/forgotten-password">
            Forgotten your password?
          </Anchor>
        </Text>
        <Text size="sm" c="dimmed" ta="center">
          New here?{" "}
          <Anchor component={Link} to="/sign-up" underline="always">
            Create an organization
          </Anchor>
        </Text>
      </Stack>
    </form>
  );
}
