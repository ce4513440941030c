import { once } from "node:events";
import fs from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { until } from "../../../test/harness/eventually.ts";
import { readConfig } from "../../foundation/config/config.ts";
import type { App } from "../../http/app.ts";
import { listen } from "../../http/listener.ts";
import { fileRoutes } from "./routes.ts";

/** More than the system takes for a client that does not read. */
const LARGE_BYTES = 64 * 1024 * 1024;
const OPEN_FILES = "/proc/self/fd";

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "florin-files-")));
const app = Fastify();
let port: number;
beforeAll(async () => {
  fs.mkdirSync(join(root, "assets"));
  fs.writeFileSync(join(root, "index.html"), "the page");
  fs.writeFileSync(join(root, "assets", "small.js"), "small");
  fs.writeFileSync(join(root, "assets", "small.js.br"), "smaller");
  fs.writeFileSync(join(root, "assets", "large.js"), "");
  fs.truncateSync(join(root, "assets", "large.js"), LARGE_BYTES);
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send({ data: null }));
  app.addHook("onRequest", async (_request, reply) => void reply.header("x-careful", "yes"));
  fileRoutes(app as unknown as App, root);
  await listen(app, readConfig({ FLORIN_DASHBOARD_PORT: "0" }), "dashboard");
  port = (app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await app.close();
  fs.rmSync(root, { recursive: true });
});

function openFiles(): string[] {
  const targets = fs.readdirSync(OPEN_FILES).map((descriptor) => {
    try {
      return fs.readlinkSync(join(OPEN_FILES, descriptor));
    } catch {
      return "closed meanwhile";
    }
  });
  return targets.filter((target) => target.startsWith(root));
}

test.skipIf(!fs.existsSync(OPEN_FILES))(
  "no file stays open for a client that asked for many and left",
  async () => {
    const client = connect(port, "127.0.0.1");
    client.write("GET /assets/large.js HTTP/1.1\r\nHost: florin\r\n\r\n".repeat(10));
    await once(client, "readable");
    expect(openFiles()).not.toEqual([]);
    client.destroy();
    await until("all are closed", () => openFiles().length === 0);
  },
);

test("a file that cannot be opened is told like any failure, and not kept for good", async () => {
  const open = vi.spyOn(fs, "createReadStream").mockImplementation(() => {
    const error = Object.assign(new Error("too many open files"), { code: "EMFILE" });
    return new Readable({ read: (): void => void 0 }).destroy(error) as fs.ReadStream;
  });
  const path = `http://127.0.0.1:${port}/assets/small.js`;
  const headers = { "accept-encoding": "br" };
  const failed = await fetch(path, { headers });
  expect(failed.status).toBe(500);
  expect(await failed.json()).toEqual({ data: null });
  expect(Object.fromEntries(failed.headers)).toEqual({
    connection: "keep-alive",
    "content-length": "13",
    "content-type": "application/json; charset=utf-8",
    date: expect.any(String),
    "keep-alive": expect.any(String),
    vary: "accept-encoding",
    "x-careful": "yes",
  });

  open.mockRestore();
  const sent = await fetch(path, { method: "HEAD", headers });
  expect(sent.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(sent.headers.get("content-encoding")).toBe("br");
});
