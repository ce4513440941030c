/** Never sends anyone to another site. */
export const isOwnPath = (path: string | undefined): path is string =>
  path?.startsWith("/") === true && !/^\/[/\\]/.test(path) && !path.includes("\\");
