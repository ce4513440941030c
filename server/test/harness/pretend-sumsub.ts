import { createHash, createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** One way to misbehave; it answers the request in its place, or never. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => void;

interface Upload {
  metadata: Record<string, string>;
  mediaType: string;
  bytes: Buffer;
}

export interface PretendApplicant {
  id: string;
  externalUserId: string;
  levelName: string;
  type: string;
  email?: string;
  phone?: string;
  fixedInfo: Record<string, unknown>;
  uploads: Upload[];
  reviewStatus: string;
  reviewResult?: Record<string, unknown>;
  lookUps: unknown[];
  checks: Record<string, unknown>[];
}

interface Answer {
  status: number;
  body: unknown;
}

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/**
 * A local server that behaves as Sumsub's documentation says: signatures over the exact bytes, its
 * paths, states, conflicts and errors. Tests steer it by what is public here.
 */
export class PretendSumsub {
  readonly appToken = "sbx:pretend.token";
  readonly secretKey = "pretend-secret-key";
  readonly webhookSecret = "pretend-webhook-secret";
  readonly levelNames = { number: "ng number", document: "kyc@document", business: "kyb-level" };
  readonly applicants: PretendApplicant[] = [];
  readonly calls: string[] = [];
  /** The government's database: number → the check that a look-up of it leaves. */
  readonly register = new Map<string, Record<string, unknown>>();
  /** Whether its levels need what we do not send. */
  asksForMore = false;
  /** Taken one per request, before anything else happens. `undefined` lets one request through. */
  faults: (Fault | undefined)[] = [];
  /** Taken one per request, after it was carried out: the answer is lost. */
  lateFaults: (Fault | undefined)[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  applicant(externalUserId: string): PretendApplicant {
    const found = this.applicants.find((candidate) => candidate.externalUserId === externalUserId);
    if (found === undefined) throw new Error("No such applicant");
    return found;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.faults.shift();
    const body = await buffer(request);
    this.calls.push(`${request.method} ${(request.url ?? "").split("?")[0]}`);
    if (fault !== undefined) return fault(request, response);
    const answer = this.#answer(request, body);
    const lateFault = this.lateFaults.shift();
    if (lateFault !== undefined) return lateFault(request, response);
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  }

  #answer(request: IncomingMessage, body: Buffer): Answer {
    if (!this.#isSigned(request, body)) return failure(401, "Invalid signature");
    const url = new URL(request.url ?? "", "http://sumsub");
    const call: Call = {
      method: request.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
    };
    for (const [method, path, handle] of this.#routes) {
      const match = path.exec(call.path);
      if (method === call.method && match !== null) return handle(call, match[1] ?? "");
    }
    return failure(404, "No such resource");
  }

  #isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
    const timestamp = String(headers["x-app-access-ts"]);
    const expected = createHmac("sha256", this.secretKey)
      .update(`${timestamp}${method}${url}`)
      .update(body)
      .digest("hex");
    return (
      headers["x-app-token"] === this.appToken &&
      headers["x-app-access-sig"] === expected &&
      Math.abs(Number(timestamp) - Date.now() / 1000) < 60
    );
  }

  readonly #routes: [string, RegExp, (call: Call, id: string) => Answer][] = [
    ["POST", /^\/resources\/applicants$/, (call) => this.#create(call)],
    ["GET", /^\/resources\/applicants\/-;externalUserId=([^/]+)\/one$/, (_, id) => this.#find(id)],
    ["POST", /^\/resources\/applicants\/(\w+)\/info\/idDoc$/, (call, id) => this.#upload(call, id)],
    ["POST", /^\/resources\/applicants\/(\w+)\/status\/pending$/, (_, id) => this.#pend(id)],
    ["GET", /^\/resources\/applicants\/(\w+)\/status$/, (_, id) => this.#status(id)],
    [
      "POST",
      /^\/resources\/applicants\/(\w+)\/ekyc\/submit$/,
      (call, id) => this.#lookUp(call, id),
    ],
    ["GET", /^\/resources\/checks\/latest$/, (call) => this.#checks(call)],
  ];

  #create({ query, body }: Call): Answer {
    const levelName = query.get("levelName") ?? "";
    if (!Object.values(this.levelNames).includes(levelName)) return failure(404, "No such level");
    const given = JSON.parse(body.toString()) as PretendApplicant;
    const isCompanyLevel = levelName === this.levelNames.business;
    if ((given.type === "company") !== isCompanyLevel) return failure(400, "Wrong applicant type");
    const known = this.applicants.find((each) => each.externalUserId === given.externalUserId);
    if (known !== undefined) {
      const { externalUserId, id } = known;
      return failure(
        409,
        `Applicant with external user id '${externalUserId}' already exists: ${id}`,
      );
    }
    const id = randomBytes(12).toString("hex");
    const fresh = { ...given, id, levelName, reviewStatus: "init" };
    this.applicants.push({ ...fresh, uploads: [], lookUps: [], checks: [] });
    return this.#find(given.externalUserId);
  }

  #find(externalUserId: string): Answer {
    const found = this.applicants.find((each) => each.externalUserId === externalUserId);
    if (found === undefined) return failure(404, "Applicant not found");
    const { id, reviewStatus, reviewResult } = found;
    return { status: 200, body: { id, externalUserId, review: { reviewStatus, reviewResult } } };
  }

  #upload({ headers, body }: Call, id: string): Answer {
    const applicant = this.#byId(id);
    const upload = parseForm(String(headers["content-type"]), body);
    if (applicant === undefined) return failure(404, "Applicant not found");
    if (applicant.reviewStatus !== "init") return failure(409, "Being checked", 1006);
    if (upload === undefined || !upload.metadata.idDocType || !upload.metadata.country) {
      return failure(400, "Bad form");
    }
    if (upload.mediaType === "image/webp") return failure(400, "Unsupported format", 1005);
    if (upload.bytes.includes("/Encrypt")) return failure(400, "Encrypted file", 1011);
    const digests = applicant.uploads.map(({ bytes }) => digestOf(bytes));
    if (digests.includes(digestOf(upload.bytes))) return failure(409, "Duplicate document", 1000);
    applicant.uploads.push(upload);
    return { status: 200, body: { idDocType: upload.metadata.idDocType } };
  }

  #pend(id: string): Answer {
    const applicant = this.#byId(id);
    if (applicant === undefined) return failure(404, "Applicant not found");
    if (applicant.reviewStatus !== "init") return failure(409, "Already being checked");
    const isComplete = applicant.type === "company" || applicant.uploads.length > 0;
    if (!isComplete || this.asksForMore) {
      return failure(409, "Not all required documents or data are submitted.");
    }
    applicant.reviewStatus = "pending";
    return { status: 200, body: { ok: 1 } };
  }

  #status(id: string): Answer {
    const applicant = this.#byId(id);
    if (applicant === undefined) return failure(404, "Applicant not found");
    const { reviewStatus, reviewResult } = applicant;
    return { status: 200, body: { reviewId: "r1", reviewStatus, reviewResult } };
  }

  #lookUp({ body }: Call, id: string): Answer {
    const applicant = this.#byId(id);
    if (applicant === undefined) return failure(404, "Applicant not found");
    const { info, idDoc } = JSON.parse(body.toString());
    applicant.lookUps.push({ info, idDoc });
    const input = info
      ? { idDocType: "TAX_PAYER_NUMBER_DOC", country: info.country, number: info.tin }
      : idDoc;
    const found = this.register.get(`${input.idDocType} ${input.number}`);
    const { errorCode, ...check } = found ?? { answer: "RED", violations: ["DATA_NOT_FOUND"] };
    if (typeof errorCode === "number") return failure(400, "Look-up failed", errorCode);
    applicant.checks.unshift({ checkType: "E_KYC_CHECK", inputDoc: input, ...check });
    return { status: 200, body: { status: check.answer === "RED" ? "rejected" : "completed" } };
  }

  #checks({ query }: Call): Answer {
    const applicant = this.#byId(query.get("applicantId") ?? "");
    if (applicant === undefined) return failure(404, "Applicant not found");
    return { status: 200, body: { checks: applicant.checks } };
  }

  #byId(id: string): PretendApplicant | undefined {
    return this.applicants.find((applicant) => applicant.id === id);
  }
}

function failure(code: number, description: string, errorCode?: number): Answer {
  return { status: code, body: { code, description, errorCode, correlationId: "req-pretend-1" } };
}

function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Reads exactly two parts, `metadata` in JSON and `content` with a file. */
function parseForm(contentType: string, body: Buffer): Upload | undefined {
  const [, boundary] = /^multipart\/form-data; boundary=(\S+)$/.exec(contentType) ?? [];
  const [before, first, second, after, ...more] = body.toString("latin1").split(`--${boundary}`);
  if (before !== "" || after !== "--\r\n" || more.length > 0) return undefined;
  const metadata = parsePart(first, "metadata");
  const content = parsePart(second, "content");
  if (metadata === undefined || !/; filename="[^"]+"/.test(content?.head ?? "")) return undefined;
  return {
    metadata: JSON.parse(Buffer.from(metadata.data, "latin1").toString("utf8")),
    mediaType: /^Content-Type: (\S+)$/m.exec(content?.head ?? "")?.[1] ?? "",
    bytes: Buffer.from(content?.data ?? "", "latin1"),
  };
}

function parsePart(part = "", name: string): { head: string; data: string } | undefined {
  const split = part.indexOf("\r\n\r\n");
  const head = part.slice(2, split);
  if (!head.includes(`Content-Disposition: form-data; name="${name}"`)) return undefined;
  return { head, data: part.slice(split + 4, -2) };
}
