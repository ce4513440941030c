import type { Role } from "../api/own-types.ts";
import { Facts } from "../ui/facts.tsx";
import { Panel } from "../ui/panel.tsx";

export const ABOUT_ROLES: Record<Role, string> = {
  Owner: "Everything, including people and their roles.",
  Developer:
    "Reads everything. Credentials, with which the API tells full card numbers; webhooks, authorization settings, API requests, sandbox tools.",
  Finance: "Reads everything. Issues cards, moves money, collects charges, exports.",
  Support:
    "Reads everything. Verifies customers, issues cards without a balance, freezes, sets limits and lists, sees full card numbers.",
  Viewer: "Reads everything, changes nothing.",
};

export function Roles() {
  return (
    <Panel title="What roles may do">
      <Facts length="long" facts={Object.entries(ABOUT_ROLES)} />
    </Panel>
  );
}
