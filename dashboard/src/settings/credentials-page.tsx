import { Button, Checkbox, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/client.ts";
import type { Credentials } from "../api/own-types.ts";
import { resourceQuery } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { useCan, useMe } from "../session/use-me.ts";
import { CopyText } from "../ui/copy.tsx";
import { Facts } from "../ui/facts.tsx";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { SecretOnce } from "../ui/secret-once.tsx";
import { Loaded } from "../ui/states.tsx";
import { RotateSecret, SecretTable } from "./secret-rotation.tsx";
import { SigningSecret } from "./signing-secret.tsx";

const PATH = "/dashboard/credentials";

export function CredentialsPage() {
  const credentials = useQuery(resourceQuery<Credentials>(PATH));
  return (
    <Page
      title="Credentials"
      lead="With these your servers call the API. They never belong into a browser, an app or a repository."
    >
      <Loaded query={credentials}>
        {(data) => (
          <>
            <Identity credentials={data} />
            <Secrets credentials={data} />
            <SigningSecret credentials={data} />
            <Scopes key={data.defaultScopes.join()} credentials={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Identity({ credentials }: { credentials: Credentials }) {
  const { addresses } = useMe();
  return (
    <Panel title="Client">
      <Facts
        facts={[
          ["clientId", <CopyText key="c" value={credentials.clientId} label="clientId" />],
          ["UniqueKey", <CopyText key="u" value={credentials.uniqueKey} label="UniqueKey" />],
          ["API address", <CopyText key="a" value={addresses.api} label="API address" />],
          [
            "Identity address",
            <CopyText key="i" value={addresses.identity} label="identity address" />,
          ],
        ]}
      />
    </Panel>
  );
}

function Secrets({ credentials }: { credentials: Credentials }) {
  const [shown, setShown] = useState<string>();
  const reveal = useAction<void, { clientSecret: string }>({
    run: () => call("POST", `${PATH}/reveal`),
    changes: [PATH],
    onDone: ({ clientSecret }) => setShown(clientSecret),
    isSecret: true,
  });
  return (
    <Panel
      title="Secrets"
      lead="The newest signs your requests. Older ones work until they expire."
      isFlush
      actions={
        <>
          {credentials.revealable && shown === undefined && (
            <Button size="xs" loading={reveal.isPending} onClick={() => reveal.mutate()}>
              Reveal once
            </Button>
          )}
          <RotateSecret<{ clientSecret: string }>
            label="Rotate"
            title="Rotate the secret?"
            about="A new secret is made and shown once. The current one goes on working for the overlap, so that you can put the new one in place; with 0 hours it ends now."
            secrets={credentials.secrets}
            maxHours={168}
            path={`${PATH}/rotate`}
            changes={[PATH]}
            onRotated={({ clientSecret }) => setShown(clientSecret)}
          />
        </>
      }
    >
      {shown !== undefined && (
        <Stack p="lg">
          <SecretOnce label="clientSecret" value={shown} />
        </Stack>
      )}
      <SecretTable label="Secrets" secrets={credentials.secrets} />
    </Panel>
  );
}

const ABOUT_SCOPES: Record<string, string> = {
  CardAPIs: "Everything but full card numbers",
  CardSecrets: "Full card numbers and CVVs",
};

function Scopes({ credentials }: { credentials: Credentials }) {
  const [chosen, setChosen] = useState(credentials.defaultScopes);
  const mayReveal = useCan()("cards.reveal");
  const save = useAction<string[]>({
    run: (defaultScopes) => call("PUT", `${PATH}/scopes`, { body: { defaultScopes } }),
    changes: [PATH],
    done: "The default scopes are saved",
  });
  const isChanged = chosen.toSorted().join() !== credentials.defaultScopes.toSorted().join();
  return (
    <Panel title="Default scopes" lead="What a token may do when its request names no scope.">
      <Checkbox.Group value={chosen} onChange={setChosen} aria-label="Default scopes">
        <Stack gap="sm">
          {credentials.scopes.map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={scope}
              description={ABOUT_SCOPES[scope] ?? ""}
              // Only those who may see whole card numbers may let tokens see them by default.
              disabled={scope === "CardSecrets" && !mayReveal && !chosen.includes(scope)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Group mt="md">
        <Button
          size="sm"
          variant="default"
          disabled={!isChanged}
          loading={save.isPending}
          onClick={() => save.mutate(chosen)}
        >
          Save the scopes
        </Button>
      </Group>
    </Panel>
  );
}
