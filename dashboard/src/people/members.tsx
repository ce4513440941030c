import { Button, NativeSelect, Text } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
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
import { ABOUT_ROLES } from "./roles.tsx";

const PATH = "/dashboard/people";

export function Members() {
  const people = useQuery(resourceQuery<Person[]>(PATH));
  const can = useCan();
  const { person: self } = useMe();
  const [changing, setChanging] = useState<Person>();
  const [leaving, setLeaving] = useState<Person>();
  const nowOf = (person: Person) =>
    people.data?.find(({ personId }) => personId === person.personId);
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
                <RoleCell key="r" person={person} onChange={() => setChanging(person)} />,
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
      {changing !== undefined && (
        <RoleDialog
          person={changing}
          now={nowOf(changing)}
          onClose={() => setChanging(undefined)}
        />
      )}
      {leaving !== undefined && (
        <RemoveDialog person={leaving} now={nowOf(leaving)} onClose={() => setLeaving(undefined)} />
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

function RoleCell({ person, onChange }: { person: Person; onChange: () => void }) {
  const can = useCan();
  if (!can("people")) return person.role;
  return (
    <Button
      size="compact-sm"
      variant="default"
      rightSection={<IconPencil size={14} aria-hidden />}
      aria-label={`Role of ${person.name}: ${person.role}`}
      aria-haspopup="dialog"
      onClick={onChange}
    >
      {person.role}
    </Button>
  );
}

interface PersonDialogProps {
  /** As they were when it was opened. */
  person: Person;
  /** As they are, unless somebody else has removed them. */
  now: Person | undefined;
  onClose: () => void;
}

/** What somebody else has done with the person meanwhile. */
function overtakenBy({ person, now }: PersonDialogProps): string | undefined {
  if (now === undefined) return `${person.name} is not in the team any more.`;
  return now.role === person.role ? undefined : `${person.name} is ${now.role} by now.`;
}

function RoleDialog(props: PersonDialogProps) {
  const { person, onClose } = props;
  const [role, setRole] = useState(person.role);
  const change = useAction<Role>({
    run: (wanted) => call("PATCH", `${PATH}/${person.personId}`, { body: { role: wanted } }),
    changes: [PATH],
    done: `${person.name}'s role is changed`,
    onDone: onClose,
    isQuiet: true,
  });
  return (
    <Dialog
      title={`Change the role of ${person.name}?`}
      isOpen
      onClose={onClose}
      confirm="Save the role"
      action={change}
      overtaken={overtakenBy(props)}
      onConfirm={() => (role === person.role ? onClose() : change.mutate(role))}
    >
      <NativeSelect
        label="Role"
        description={ABOUT_ROLES[role]}
        value={role}
        onChange={(event) => setRole(event.currentTarget.value as Role)}
        data={[...ROLES]}
        data-autofocus
      />
    </Dialog>
  );
}

function RemoveDialog(props: PersonDialogProps) {
  const { person, onClose } = props;
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
      action={remove}
      overtaken={overtakenBy(props)}
      onConfirm={() => remove.mutate()}
    >
      {`${person.name} is logged out everywhere and cannot log in any more. What they did stays in the audit log.`}
    </Dialog>
  );
}
