export const roles = ["Owner", "Developer", "Finance", "Support", "Viewer"] as const;
export type Role = (typeof roles)[number];

export const permissions = [
  "people",
  "credentials",
  "webhooks",
  "authorization-settings",
  "sandbox",
  "requests",
  "audit",
  "cards.issue",
  "cards.money",
  "cards.status",
  "cards.controls",
  "cards.reveal",
  "cards.terminate",
  "kyc",
  "export",
] as const;
export type Permission = (typeof permissions)[number];

/** What each role may do besides looking; everybody may look at cards, customers, money and events. */
const granted: Record<Role, readonly Permission[]> = {
  Owner: permissions,
  Developer: ["credentials", "webhooks", "authorization-settings", "sandbox", "requests"],
  Finance: ["cards.issue", "cards.money", "export"],
  Support: [
    "cards.issue",
    "cards.status",
    "cards.controls",
    "cards.reveal",
    "cards.terminate",
    "kyc",
  ],
  Viewer: [],
};

export const permissionsOf = (role: Role): readonly Permission[] => granted[role];

export const may = (role: Role, permission: Permission): boolean =>
  granted[role].includes(permission);
