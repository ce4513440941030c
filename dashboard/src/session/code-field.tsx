import { TextInput } from "@mantine/core";

interface CodeFieldProps {
  value: string;
  onChange: (code: string) => void;
}

export function CodeField({ value, onChange }: CodeFieldProps) {
  return (
    <TextInput
      label="6-digit code"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, "").slice(0, 6))}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
      size="md"
      styles={{ input: { letterSpacing: "0.4em", fontVariantNumeric: "tabular-nums" } }}
    />
  );
}
