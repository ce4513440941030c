import { Button, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { call } from "../api/client.ts";
import { useAction } from "../api/use-action.ts";
import { showFieldErrors } from "../ui/form-errors.ts";
import { FailureAlert } from "../ui/states.tsx";
import { Frame } from "./frame.tsx";
import { NewPassword } from "./new-password.tsx";
import { refreshMe } from "./use-me.ts";

export function ResetPage() {
  const { token = "" } = useSearch({ strict: false }) as { token?: string };
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
  const send = (values: typeof form.values) =>
    reset.mutate(values, { onError: (error) => showFieldErrors(form, error) });
  return (
    <Frame
      title="Set a new password"
      lead="Your other sessions end. Two-factor authentication stays as it is."
    >
      <form onSubmit={form.onSubmit(send)}>
        <Stack gap="md">
          {reset.error !== null && <FailureAlert error={reset.error} />}
          <NewPassword {...form.getInputProps("password")} />
          <Button type="submit" fullWidth loading={reset.isPending}>
            Set password
          </Button>
        </Stack>
      </form>
    </Frame>
  );
}
