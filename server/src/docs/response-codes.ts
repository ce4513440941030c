import { codes, type ResponseCode } from "../foundation/codes.ts";

interface Group {
  title: string;
  from: string;
  to: string;
}

const groups: Group[] = [
  { title: "Success", from: "000", to: "099" },
  { title: "Validation and request errors", from: "100", to: "149" },
  { title: "Service and processing errors", from: "150", to: "199" },
  { title: "PIN, card and account states", from: "200", to: "299" },
  { title: "Risk and compliance", from: "300", to: "399" },
  { title: "Unexpected errors", from: "400", to: "999" },
];

const introduction = `# Response codes

<!-- Generated from server/src/foundation/codes.ts by \`npm run generate\`. Do not edit. -->

Every answer under \`/api/v1\` carries a \`responseCode\`, its text in \`responseMessage\` and its
\`finality\`. Read the code together with the HTTP status; only \`000\` means that the request
succeeded.

The finality says what to do next:

| Finality | Meaning | What to do |
|---|---|---|
| \`TerminalSuccess\` | The operation is done. | Nothing. |
| \`TerminalFailure\` | The operation was refused and nothing happened. | Change the request or the state behind it first; the same request will be refused again. |
| \`Indeterminate\` | The outcome is not known, or the service could not act now. | Retry with the same \`Reference\` and payload, or look up \`GET /api/v1/requests/{reference}\`. |

The HTTP status is the one the code normally answers with. A code that is listed twice answers
with a status that depends on the circumstances; the name tells which. A declined card payment is
no failed request: the answer is \`200\` with \`000\`, and the reason for the decline stands in the
transaction's own \`responseCode\`. A message may be more specific than the text below, so decide by
the code, never by the message.

Florin's own rules use a part of these codes. The others, such as those for PINs and for risk, are for
systems that [decide purchases themselves](guides/customer-managed.md) and decline with them.`;

/** The text of docs/response-codes.md. */
export function renderResponseCodes(): string {
  return `${[introduction, ...groups.map(renderGroup)].join("\n\n")}\n`;
}

function renderGroup({ title, from, to }: Group): string {
  const rows = Object.entries(codes)
    .filter(([, row]) => row.code >= from && row.code <= to)
    .sort(([nameA, a], [nameB, b]) => compare(a.code, b.code) || compare(nameA, nameB))
    .map(([name, row]) => renderRow(name, row));
  return [
    `## ${title}`,
    "",
    "| Code | Message | Finality | HTTP status | Name |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

function renderRow(name: string, { code, message, finality, httpStatus }: ResponseCode): string {
  return `| ${code} | ${message} | ${finality} | ${httpStatus} | \`${name}\` |`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
