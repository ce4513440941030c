import { Stack } from "@mantine/core";
import { useState } from "react";
import type { Credentials } from "../api/own-types.ts";
import { Panel } from "../ui/panel.tsx";
import { SecretOnce } from "../ui/secret-once.tsx";
import { RotateSecret, SecretTable } from "./secret-rotation.tsx";

const PATH = "/dashboard/credentials";
const MAX_OVERLAP_HOURS = 720;

/** What signs the questions and advices that go to an Authorization URL. */
export function SigningSecret({ credentials }: { credentials: Credentials }) {
  const [shown, setShown] = useState<string>();
  return (
    <Panel
      title="Signing secret"
      lead="Signs what is sent to your Authorization URL. It is shown once: rotate it to get one."
      isFlush
      actions={
        <RotateSecret<{ webhookSecret: string }>
          label="Rotate the signing secret"
          title="Rotate the signing secret?"
          about="A new secret is made and shown once. For the overlap every message carries two signatures, the new one's and the old one's, so that your server can change over; with 0 hours the old one ends now."
          secrets={credentials.signingSecrets}
          maxHours={MAX_OVERLAP_HOURS}
          path={`${PATH}/signing-secret/rotate`}
          changes={[PATH]}
          onRotated={({ webhookSecret }) => setShown(webhookSecret)}
        />
      }
    >
      {shown !== undefined && (
        <Stack p="lg">
          <SecretOnce label="webhookSecret" value={shown} />
        </Stack>
      )}
      <SecretTable label="Signing secrets" secrets={credentials.signingSecrets} />
    </Panel>
  );
}
