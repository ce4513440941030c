/** What a token may be used for. */
export const scopes = ["CardAPIs", "CardSecrets"] as const;

export type Scope = (typeof scopes)[number];

export const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);
