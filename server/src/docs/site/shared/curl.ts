/** A request with its headers as they were sent. */
export interface SentRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** The same request as a command for a POSIX shell. */
export function curlCommand({ method, url, headers, body }: SentRequest): string {
  const lines = [
    `curl --globoff -X ${method} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
  ];
  return lines.join(" \\\n  ");
}

/** Single quotes keep everything but themselves. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
