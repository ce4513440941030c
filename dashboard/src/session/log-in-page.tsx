import { EnrolTotp } from "./enrol-totp.tsx";
import { Frame } from "./frame.tsx";
import { LogInForm } from "./log-in-form.tsx";
import { TotpForm } from "./totp-form.tsx";
import { useMe } from "./use-me.ts";

/** One address for all steps of getting in; the session's state says which is next. */
export function LogInPage() {
  const { state } = useMe();
  if (state === "EnrolTotp") {
    return (
      <Frame
        title="Set up two-factor authentication"
        lead="Cards and money are behind this door, so a password alone does not open it."
      >
        <EnrolTotp />
      </Frame>
    );
  }
  if (state === "Totp") {
    return (
      <Frame
        title="Enter your code"
        lead="Your authenticator app shows a new one every 30 seconds."
      >
        <TotpForm />
      </Frame>
    );
  }
  return (
    <Frame title="Log in">
      <LogInForm />
    </Frame>
  );
}
