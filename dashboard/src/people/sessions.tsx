import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import type { Session } from "../api/own-types.ts";
import { resourceQuery } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { Panel } from "../ui/panel.tsx";
import { SimpleTable } from "../ui/simple-table.tsx";
import { Loaded } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";
import { sayBrowser } from "./browsers.ts";

const PATH = "/dashboard/sessions";

export function Sessions() {
  const sessions = useQuery(resourceQuery<Session[]>(PATH));
  const end = useAction<string>({
    run: (sessionId) => call("DELETE", `${PATH}/${sessionId}`),
    changes: [PATH],
    done: "That session has ended",
  });
  return (
    <Panel title="Sessions" lead="Where you are logged in." isFlush>
      <Loaded query={sessions}>
        {(list) => (
          <SimpleTable
            label="Sessions"
            head={["Browser", "Address", "Since", "Last seen", ""]}
            rows={list.map((session) => ({
              key: session.sessionId,
              cells: [
                <Text key="b" size="sm">
                  {sayBrowser(session.userAgent)}
                </Text>,
                session.address,
                <Time key="c" at={session.createdAt} />,
                <Time key="l" at={session.lastSeenAt} />,
                session.current ? (
                  <Status key="x" value="This one" tone="positive" />
                ) : (
                  <Button
                    key="x"
                    size="compact-sm"
                    variant="subtle"
                    aria-label={`End the session of ${sayBrowser(session.userAgent)}`}
                    onClick={() => end.mutate(session.sessionId)}
                  >
                    End
                  </Button>
                ),
              ],
            }))}
          />
        )}
      </Loaded>
    </Panel>
  );
}
