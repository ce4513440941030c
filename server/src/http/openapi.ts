import swagger, { type SwaggerTransform } from "@fastify/swagger";
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from "fastify-type-provider-zod";
import { z } from "zod";
import type { Addresses } from "./addresses.ts";
import type { App } from "./app.ts";
import { OPEN_PAGE } from "./open-page.ts";

declare module "fastify" {
  interface FastifySchema {
    operationId?: string;
    tags?: readonly string[];
    summary?: string;
    description?: string;
    /** What `data` holds in a successful answer. */
    data?: z.ZodType;
    /** Whether `data` is one page of a list. */
    paged?: boolean;
    /** Whether the list can be had as a file, too. */
    csv?: boolean;
  }
}

interface Description {
  /** What an SDK calls it. */
  operationId: string;
  tag: keyof typeof tags;
  summary: string;
  description: string;
  body?: z.ZodType;
  querystring?: z.ZodType;
  params?: z.ZodType;
  data: z.ZodType;
  paged?: boolean;
  csv?: boolean;
}

/** What `data` held in a real answer, by operation. */
export type RecordedAnswers = Readonly<Record<string, unknown>>;

/** The schema of a route: what it takes is checked, what it answers is documented. */
export function describe<D extends Description>(
  description: D,
): { querystring: z.ZodType } & Omit<D, "tag"> & { tags: string[] } {
  const { tag, ...schema } = description;
  return { querystring: NO_QUERY, ...schema, tags: [tag] };
}

/** A query that a route does not know is a mistake that its caller would want to hear of. */
const NO_QUERY = z.strictObject({});

const tags = {
  KYC: "Verify people and businesses. Nobody gets a card before that.",
  Customers: "The people and businesses that you have submitted, and where they stand.",
  Cards: "Issue cards, look at them, fund them, control them and close them.",
  Transactions: "Every payment from its decision to its settlement, and why it was declined.",
  Wallets: "Your organization's money, one wallet per currency.",
  Settings: "Who decides your authorizations: the service, or your own system.",
  Programmes: "What cards can be issued, and on what terms.",
  Webhooks: "Where to send what happens, signed as Standard Webhooks has it.",
  Events: "What happened, as a list, as a feed, and with what became of its deliveries.",
  Requests: "What became of a request whose answer was lost.",
  Simulator: "Sandbox only: money from nowhere, a clock that can be moved, and faults to order.",
} as const;

const INTRODUCTION = `
Every call carries five headers: \`Authorization\` (a bearer token from the identity server),
\`ServiceAuthorization\`, \`UniqueKey\`, \`Reference\` and \`Signature\`.

\`\`\`
Signature = base64(hex(sha1(METHOD + "&" + urlencode(url) + "&" + reference + "&" + clientId + "&" + clientSecret)))
\`\`\`

The URL is the whole address with its query, exactly as it is sent. The signature does not cover the
body. A \`Reference\` works once in 24 hours: it is the idempotency key. Judge every answer by its HTTP
status and its \`responseCode\` together; \`000\` is the only success, and only answers whose finality is
\`Indeterminate\` are worth a retry, with the same Reference and the same payload.`;

const Pagination = z
  .strictObject({ limit: z.int(), nextCursor: z.string().nullable() })
  .meta({ id: "Pagination", description: "Pass nextCursor as cursor to read on; null at the end" });

const Failed = z
  .strictObject({
    responseCode: z.string().meta({ examples: ["131"] }),
    responseMessage: z.string(),
    finality: z.enum(["TerminalFailure", "Indeterminate"]),
    requestId: z.string(),
    data: z.null(),
    errors: z
      .strictObject({ field: z.string(), message: z.string() })
      .array()
      .optional()
      .meta({ description: "Each field that is wrong, and why" }),
  })
  .meta({ id: "Failed", description: "A refusal or a failure; see the table of response codes" });

function succeeded(data: z.ZodType, paged: boolean): z.ZodType {
  const envelope = z.strictObject({
    responseCode: z.literal("000"),
    responseMessage: z.string(),
    finality: z.literal("TerminalSuccess"),
    requestId: z.string(),
    data,
  });
  return paged ? envelope.extend({ pagination: Pagination }) : envelope;
}

const toComponents = createJsonSchemaTransformObject({});

type Transformed = ReturnType<typeof toComponents>;

/**
 * Schemas are collected for input and for output; most are used on one side only. What only such a one refers to is
 * unused as well.
 */
function withoutUnused(document: Transformed): Transformed {
  const components = "components" in document ? document.components : undefined;
  const all = Object.entries(components?.schemas ?? {});
  const text = JSON.stringify(document);
  const used = all.filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
  if (used.length === all.length) return document;
  return withoutUnused({
    ...document,
    components: { ...components, schemas: Object.fromEntries(used) },
  } as Transformed);
}

interface OperationObject {
  requestBody?: {
    required?: boolean;
    content: Record<string, { schema?: { anyOf?: { type?: string }[] } }>;
  };
}

/** A body that may be null may be left out; as the documents are made, every one is required. */
function withOptionalBodies(document: Transformed): Transformed {
  const paths = "paths" in document ? document.paths : {};
  const operations = Object.values(
    paths as Record<string, Record<string, OperationObject>>,
  ).flatMap((path) => Object.values(path));
  for (const { requestBody } of operations) {
    const options = requestBody?.content["application/json"]?.schema?.anyOf ?? [];
    if (requestBody && options.some(({ type }) => type === "null")) requestBody.required = false;
  }
  return document;
}

const toJsonSchema = createJsonSchemaTransform({ skipList: [] });

const REFUSED = {
  description: "Refused, or nobody knows: its responseCode and finality tell",
  headers: {
    "Retry-After": {
      type: "integer",
      description: "Seconds to wait before the next attempt: with 429, and with some 503",
    },
  },
};

const CSV = { "text/csv": { schema: { type: "string" } } };

const describeWith =
  (answers: RecordedAnswers): SwaggerTransform =>
  (route) => {
    const { data, paged = false, csv = false, ...schema } = route.schema ?? {};
    if (data === undefined) return { schema: { ...schema, hide: true }, url: route.url };
    const response = { 200: succeeded(data, paged), default: Failed };
    const described = toJsonSchema({ ...route, schema: { ...schema, response } } as Parameters<
      typeof toJsonSchema
    >[0]);
    const { 200: success, default: failure } = described.schema.response as Record<string, object>;
    const example = exampleOf(answers[schema.operationId ?? ""], paged);
    const json = { "application/json": { schema: success, ...example } };
    return {
      ...described,
      schema: {
        ...described.schema,
        response: {
          200: { description: "Success", content: { ...json, ...(csv ? CSV : {}) } },
          default: { ...REFUSED, content: { "application/json": { schema: failure } } },
        },
      },
    };
  };

function exampleOf(data: unknown, paged: boolean): { example?: object } {
  if (data === undefined) return {};
  const envelope = {
    responseCode: "000",
    responseMessage: "Success",
    finality: "TerminalSuccess",
    requestId: "req_01kc2m8v4qd0s7xfh3bzn6rwte",
    data,
  };
  const pagination = { limit: 20, nextCursor: null };
  return { example: paged ? { ...envelope, pagination } : envelope };
}

const header = (name: string, description: string) =>
  ({ type: "apiKey", in: "header", name, description }) as const;

/** Collects the schemas of all routes into OpenAPI 3.1 and serves it. */
export function publishOpenApi(app: App, addresses: Addresses, answers: RecordedAnswers): void {
  app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Florin",
        version: "1",
        description: INTRODUCTION.trim(),
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
          serviceAuthorization: header("ServiceAuthorization", "`ServiceAuth ` + base64(clientId)"),
          uniqueKey: header("UniqueKey", "The value shared at onboarding"),
          reference: header(
            "Reference",
            "1 to 30 printable ASCII characters without spaces, new for every operation",
          ),
          signature: header("Signature", "See the introduction"),
        },
      },
      security: [
        { token: [], serviceAuthorization: [], uniqueKey: [], reference: [], signature: [] },
      ],
    },
    transform: describeWith(answers),
    transformObject: (document) => withOptionalBodies(withoutUnused(toComponents(document))),
  });
  app.get("/openapi.json", OPEN_PAGE, async () => ({
    ...app.swagger(),
    servers: [{ url: addresses.api }],
  }));
}
