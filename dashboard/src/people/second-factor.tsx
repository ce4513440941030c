import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { SecondFactorState } from "../api/own-types.ts";
import { resourceQuery } from "../api/queries.ts";
import { Facts } from "../ui/facts.tsx";
import { Panel } from "../ui/panel.tsx";
import { Loaded } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { RenewCodes } from "./renew-codes.tsx";
import { ReplaceApp } from "./replace-app.tsx";

const FEW = 3;

export function SecondFactorPanel() {
  const factor = useQuery(resourceQuery<SecondFactorState>("/dashboard/second-factor"));
  return (
    <Panel
      title="Two-factor authentication"
      lead="Changing either ends your other sessions."
      actions={
        <Group gap="xs">
          <RenewCodes />
          <ReplaceApp />
        </Group>
      }
    >
      <Loaded query={factor} rows={2}>
        {({ since, recoveryCodesLeft }) => (
          <Facts
            facts={[
              ["Authenticator app since", since === null ? "–" : <Time key="t" at={since} />],
              [
                "Recovery codes",
                <Status
                  key="c"
                  value={`${recoveryCodesLeft} left`}
                  tone={recoveryCodesLeft > FEW ? "positive" : "warning"}
                />,
              ],
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}
