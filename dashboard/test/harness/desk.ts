import { setTimeout } from "node:timers/promises";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { createPool, type Pool } from "../../../server/src/db/pool.ts";
import type { Browser as PlainBrowser } from "../../../server/test/harness/dashboard.ts";
import { startTestService, type TestService } from "../../../server/test/harness/service.ts";
import { openChromium } from "./chromium.ts";

/** How long a slow line takes, at most, for each script and each answer. */
const SLOW_LINE_MS = Number(process.env.FLORIN_SLOW_LINE_MS ?? 0);

/** A real service, a real browser, and the tabs that tests have opened. */
export class Desk {
  readonly service: TestService;
  readonly browser: Browser;
  /** The service's own database, for what only time would bring about. */
  readonly database: Pool;

  private constructor(service: TestService, browser: Browser) {
    this.service = service;
    this.browser = browser;
    this.database = createPool(service.databaseUrl, 1);
  }

  static async open(): Promise<Desk> {
    const service = await startTestService();
    return new Desk(service, await openChromium());
  }

  get origin(): string {
    return this.service.sandbox.dashboardUrl;
  }

  /** A tab of a browser of its own; what goes wrong in it fails the test that closes it. */
  async tab(options: BrowserContextOptions & { signedIn?: PlainBrowser } = {}): Promise<Tab> {
    const { signedIn, ...rest } = options;
    const context = await this.browser.newContext({
      baseURL: this.origin,
      locale: "en-US",
      ...rest,
    });
    if (signedIn !== undefined) {
      const cookies = [...signedIn.cookies].map(([name, value]) => ({
        name,
        value,
        url: this.origin,
      }));
      await context.addCookies(cookies);
    }
    if (SLOW_LINE_MS > 0) await slowDown(context);
    return new Tab(context, await context.newPage());
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.database.end();
    await this.service.stop();
  }
}

/** Lets scripts and answers come late, each by another while: stories that lean on a fast line fail. */
const slowDown = (context: BrowserContext): Promise<unknown> =>
  context.route(/\/assets\/.*\.js|\/api\//, async (route) => {
    await setTimeout(Math.random() * SLOW_LINE_MS);
    // The page that asked may be closed by now.
    await route.continue().catch(() => undefined);
  });

export class Tab {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly #complaints: string[] = [];

  constructor(context: BrowserContext, page: Page) {
    this.context = context;
    this.page = page;
    page.setDefaultTimeout(30_000);
    page.on("pageerror", (error) => this.#complaints.push(String(error)));
    page.on("console", (message) => {
      // A refused request is part of some stories; a refused script or style is part of none.
      const isRefusal = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isRefusal) this.#complaints.push(message.text());
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      const isOutside = url.protocol.startsWith("http") && url.hostname !== "127.0.0.1";
      if (isOutside) this.#complaints.push(`asked ${url.origin}`);
    });
  }

  async close(): Promise<void> {
    await this.context.close();
    expect(this.#complaints).toEqual([]);
  }
}
