import { PasswordInput } from "@mantine/core";

interface NewPasswordProps {
  label?: string;
  value?: string;
  error?: React.ReactNode;
  onChange?: (event: React.ChangeEvent<HTMLInputElement>) => void;
}

export function NewPassword({ label = "New password", ...input }: NewPasswordProps) {
  return (
    <PasswordInput
      label={label}
      description="At least 12 characters. A few unrelated words are easy to keep and hard to guess."
      autoComplete="new-password"
      required
      withAsterisk={false}
      {...input}
    />
  );
}
