import type { Call } from "./call.ts";

/** The call for Python 3, with the standard library only. */
export function pythonSnippet({ apiUrl, identityUrl, method, target, body }: Call): string {
  const hasBody = body !== undefined;
  return [
    "import base64, hashlib, json, os, secrets",
    "from urllib.error import HTTPError",
    "from urllib.parse import quote",
    "from urllib.request import Request, urlopen",
    "",
    'client_id = os.environ["CLIENT_ID"]',
    'client_secret = os.environ["CLIENT_SECRET"]',
    "",
    "def b64(text):",
    "    return base64.b64encode(text.encode()).decode()",
    "",
    `method = ${JSON.stringify(method)}`,
    `url = ${JSON.stringify(`${apiUrl}${target}`)}`,
    ...(hasBody ? [`body = ${literal(body, "")}`] : []),
    "reference = secrets.token_hex(10)",
    "",
    'basic = b64(client_id + ":" + client_secret)',
    "granted = urlopen(Request(",
    `    ${JSON.stringify(`${identityUrl}/connect/token`)},`,
    '    data=b"grant_type=client_credentials",',
    '    headers={"Authorization": "Basic " + basic},',
    "))",
    'token = json.load(granted)["access_token"]',
    "",
    'text = "&".join([',
    '    method, quote(url, safe=""), reference,',
    "    client_id, client_secret,",
    "])",
    "digest = hashlib.sha1(text.encode()).hexdigest()",
    "",
    "request = Request(url, method=method, headers={",
    '    "Authorization": "Bearer " + token,',
    '    "ServiceAuthorization": "ServiceAuth " + b64(client_id),',
    '    "UniqueKey": os.environ["UNIQUE_KEY"],',
    '    "Reference": reference,',
    '    "Signature": b64(digest),',
    ...(hasBody ? ['    "Content-Type": "application/json",'] : []),
    hasBody ? "}, data=json.dumps(body).encode())" : "})",
    "try:",
    "    answer = urlopen(request)",
    "except HTTPError as refusal:",
    "    answer = refusal",
    "print(answer.status, json.load(answer))",
  ].join("\n");
}

const WORDS = new Map<unknown, string>([
  [true, "True"],
  [false, "False"],
  [null, "None"],
]);

/** A JSON value as Python writes it. */
function literal(value: unknown, indent: string): string {
  const word = WORDS.get(value);
  if (word !== undefined) return word;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}    `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${literal(item, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}${close}`;
}
