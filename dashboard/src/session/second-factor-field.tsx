import { Anchor, TextInput } from "@mantine/core";
import { CodeField } from "./code-field.tsx";

/** What somebody gives as the second factor: a code of the app, or one for whoever has lost it. */
export interface SecondFactor {
  isRecovery: boolean;
  text: string;
}

export const NO_SECOND_FACTOR: SecondFactor = { isRecovery: false, text: "" };

export const bodyOf = ({ isRecovery, text }: SecondFactor) =>
  isRecovery ? { recoveryCode: text.trim() } : { code: text };

interface SecondFactorFieldProps {
  value: SecondFactor;
  onChange: (given: SecondFactor) => void;
}

export function SecondFactorField({ value, onChange }: SecondFactorFieldProps) {
  const { isRecovery, text } = value;
  return isRecovery ? (
    <TextInput
      label="Recovery code"
      description="One of the ten you kept when you set this up. It works once."
      value={text}
      onChange={(event) => onChange({ isRecovery, text: event.currentTarget.value })}
      autoComplete="off"
      autoFocus
    />
  ) : (
    <CodeField value={text} onChange={(code) => onChange({ isRecovery, text: code })} />
  );
}

export function OtherSecondFactor({ value, onChange }: SecondFactorFieldProps) {
  const change = () => onChange({ isRecovery: !value.isRecovery, text: "" });
  return (
    <Anchor component="button" type="button" size="sm" onClick={change}>
      {value.isRecovery ? "Use the authenticator app" : "Use a recovery code"}
    </Anchor>
  );
}
