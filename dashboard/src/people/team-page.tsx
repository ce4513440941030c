import { Page } from "../ui/page.tsx";
import { Invitations } from "./invitations.tsx";
import { Members } from "./members.tsx";
import { Roles } from "./roles.tsx";

export function TeamPage() {
  return (
    <Page title="Team" lead="Who works with this organization, and what they may do.">
      <Members />
      <Invitations />
      <Roles />
    </Page>
  );
}
