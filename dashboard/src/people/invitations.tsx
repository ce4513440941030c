import { Button, NativeSelect, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconMailPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import { type Invitation, ROLES } from "../api/own-types.ts";
import { resourceQuery } from "../api/queries.ts";
import { useAction } from "../api/use-action.ts";
import { useCan } from "../session/use-me.ts";
import { Dialog } from "../ui/dialogs.tsx";
import { isAtField, showFieldErrors } from "../ui/form-errors.ts";
import { Panel } from "../ui/panel.tsx";
import { SimpleTable } from "../ui/simple-table.tsx";
import { Loaded } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { useDialog } from "../ui/use-dialog.ts";
import { ABOUT_ROLES } from "./roles.tsx";

const PATH = "/dashboard/invitations";

export function Invitations() {
  const can = useCan();
  const invitations = useQuery({ ...resourceQuery<Invitation[]>(PATH), enabled: can("people") });
  const withdraw = useAction<string>({
    run: (invitationId) => call("DELETE", `${PATH}/${invitationId}`),
    changes: [PATH],
    done: "The invitation is withdrawn",
  });
  if (!can("people")) return null;
  return (
    <Panel title="Invitations" isFlush actions={<InviteButton />}>
      <Loaded query={invitations} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <Text size="sm" c="dimmed" p="lg">
              Nobody is invited at the moment.
            </Text>
          ) : (
            <SimpleTable
              label="Invitations"
              head={["Invited", "Role", "By", "Works until", ""]}
              rows={list.map((invitation) => ({
                key: invitation.invitationId,
                cells: [
                  `${invitation.name} (${invitation.email})`,
                  invitation.role,
                  invitation.invitedBy,
                  <Time key="t" at={invitation.expiresAt} />,
                  <Button
                    key="x"
                    size="compact-sm"
                    variant="subtle"
                    aria-label={`Withdraw the invitation of ${invitation.name}`}
                    onClick={() => withdraw.mutate(invitation.invitationId)}
                  >
                    Withdraw
                  </Button>,
                ],
              }))}
            />
          )
        }
      </Loaded>
    </Panel>
  );
}

function InviteButton() {
  const form = useForm({ initialValues: { name: "", email: "", role: "Viewer" } });
  const invite = useAction<typeof form.values>({
    run: (body) => call("POST", PATH, { body }),
    changes: [PATH],
    done: "The invitation is on its way",
    onDone: () => dialog.onClose(),
    isQuiet: true,
  });
  const dialog = useDialog(form);
  const send = () =>
    invite.mutate(form.values, { onError: (error) => showFieldErrors(form, error) });
  return (
    <>
      <Button size="xs" leftSection={<IconMailPlus size={16} />} onClick={dialog.open}>
        Invite
      </Button>
      <Dialog
        title="Invite somebody"
        {...dialog}
        confirm="Send the invitation"
        action={invite}
        isAtField={isAtField(form)}
        onConfirm={send}
      >
        <TextInput label="Name" data-autofocus {...form.getInputProps("name")} />
        <TextInput label="E-mail" type="email" {...form.getInputProps("email")} />
        <NativeSelect
          label="Role"
          data={[...ROLES]}
          description={ABOUT_ROLES[form.values.role as keyof typeof ABOUT_ROLES]}
          {...form.getInputProps("role")}
        />
      </Dialog>
    </>
  );
}
