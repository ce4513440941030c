import { once } from "node:events";
import fs from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../../test/harness/eventually.ts";
import { readConfig } from "../../foundation/config.ts";
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
  fs.writeFileSync(join(root, "assets", "large.js"), "");
  fs.truncateSync(join(root, "assets", "large.js"), LARGE_BYTES);
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
