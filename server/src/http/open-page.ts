/** Options of a path for everyone: not part of the reference, and monitors may ask for its headers alone. */
export const OPEN_PAGE = { schema: { hide: true }, exposeHeadRoute: true } as const;
