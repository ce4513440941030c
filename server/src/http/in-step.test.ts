import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { startInStep } from "./in-step.ts";

describe("what is read in one turn of the event loop", () => {
  /** Hands over requests as Node does that has read them all, and gives the steps that they take. */
  function handOver(urls: string[]): string[] {
    const steps: string[] = [];
    const start = startInStep(({ url }) => {
      steps.push(`${url} started`);
      queueMicrotask(() => steps.push(`${url} went on`));
    });
    for (const url of urls) {
      const request = Object.assign(new IncomingMessage(new Socket()), { url });
      start(request, new ServerResponse(request));
      if (url === "/gone") request.socket.destroy();
    }
    return steps;
  }
  const bothSteps = (urls: string[]): string[] =>
    ["started", "went on"].flatMap((step) => urls.map((url) => `${url} ${step}`));

  test("is started together, but for what nobody waits for", async () => {
    const steps = handOver(["/1", "/2", "/gone", "/3"]);
    expect(steps).toEqual([]);
    await new Promise(setImmediate);
    expect(steps).toEqual(bothSteps(["/1", "/2", "/3"]));
  });

  test("is started in crowds of sixteen", async () => {
    const urls = Array.from({ length: 40 }, (_, n) => `/${n}`);
    const steps = handOver(urls);
    const crowds = [urls.slice(0, 16), urls.slice(16, 32), urls.slice(32)].map(bothSteps);
    for (let n = 1; n <= crowds.length; n++) {
      await new Promise(setImmediate);
      expect(steps).toEqual(crowds.slice(0, n).flat());
    }
  });
});
