import { Button, NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/client.ts";
import { type Person, ROLES, type Role } from "../api/own-types.ts";
import { resourceQuery } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { useCan, useMe } from "../session/use-me.ts";
import { Dialog } from "../ui/dialogs.tsx";
import { Panel } from "../ui/panel.tsx";
import { SimpleTable } from "../ui/simple-table.tsx";
import { Loaded } from "../ui/states.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/time.tsx";

const PATH = "/dashboard/people";

export function Members() {
  const people = useQuery(resourceQuery<Person[]>(PATH));
  const can = useCan();
  const { person: self } = useMe();
  const [leaving, setLeaving] = useState<Person>();
  return (
    <Panel title="People" isFlush>
      <Loaded query={people}>
        {(list) => (
          <SimpleTable
            label="People"
            head={["Name", "Role", "Two-factor", "Last seen", ""]}
            rows={list.map((person) => ({
              key: person.personId,
              cells: [
                <PersonName key="n" person={person} isSelf={person.personId === self?.personId} />,
                <RoleField key="r" person={person} />,
                <Status
                  key="t"
                  value={person.totp ? "On" : "Not yet"}
                  tone={person.totp ? "positive" : "warning"}
                />,
                person.lastSeenAt === null ? "Never" : <Time key="l" at={person.lastSeenAt} />,
                can("people") && person.personId !== self?.personId ? (
                  <Button
                    key="x"
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    onClick={() => setLeaving(person)}
                    aria-label={`Remove ${person.name}`}
                  >
                    Remove
                  </Button>
                ) : null,
              ],
            }))}
          />
        )}
      </Loaded>
      {leaving !== undefined && (
        <RemoveDialog
          person={leaving}
          isGone={!people.data?.some(({ personId }) => personId === leaving.personId)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Panel>
  );
}

function PersonName({ person, isSelf }: { person: Person; isSelf: boolean }) {
  return (
    <>
      <Text size="sm" fw={500}>
        {person.name}
        {isSelf && " (you)"}
      </Text>
      <Text size="xs" c="dimmed">
        {person.email}
      </Text>
    </>
  );
}

function RoleField({ person }: { person: Person }) {
  const can = useCan();
  const change = useAction<Role>({
    run: (role) => call("PATCH", `${PATH}/${person.personId}`, { body: { role } }),
    changes: [PATH],
    done: `${person.name}'s role is changed`,
  });
  if (!can("people")) return person.role;
  return (
    <NativeSelect
      size="xs"
      aria-label={`Role of ${person.name}`}
      value={change.isPending ? change.variables : person.role}
      onChange={(event) => change.mutate(event.currentTarget.value as Role)}
      data={[...ROLES]}
      w={130}
    />
  );
}

interface RemoveDialogProps {
  person: Person;
  /** Somebody else was faster. */
  isGone: boolean;
  onClose: () => void;
}

function RemoveDialog({ person, isGone, onClose }: RemoveDialogProps) {
  const remove = useAction<void>({
    run: () => call("DELETE", `${PATH}/${person.personId}`),
    changes: [PATH],
    done: `${person.name} is removed`,
    onDone: onClose,
    isQuiet: true,
  });
  return (
    <Dialog
      title={`Remove ${person.name}?`}
      isOpen
      onClose={onClose}
      confirm="Remove from the team"
      isDangerous
      isPending={remove.isPending}
      overtaken={isGone ? `${person.name} is not in the team any more.` : undefined}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      {`${person.name} is logged out everywhere and cannot log in any more. What they did stays in the audit log.`}
    </Dialog>
  );
}
