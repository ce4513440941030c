import { TextInput, type TextInputProps } from "@mantine/core";

/** Keeps what is typed as it is typed: an amount is judged, never changed. */
export function AmountField(props: TextInputProps) {
  return <TextInput inputMode="decimal" autoComplete="off" {...props} />;
}
