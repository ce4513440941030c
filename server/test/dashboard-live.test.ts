import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { inviteAs, signUp } from "./harness/dashboard.ts";
import { dashboardService } from "./harness/dashboard-service.ts";
import { until } from "./harness/eventually.ts";

const running = dashboardService();

test("whoever asks to listen many times over one connection and leaves takes no place from others", async () => {
  const { origin } = running;
  const { browser } = await signUp(origin, "many@people.example");
  const { host, hostname, port } = new URL(origin);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const request = `GET /dashboard/live HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`;
  // As many as there are places for an organization, and more.
  for (let round = 0; round < 12; round += 1) {
    const client = connect(Number(port), hostname);
    client.write(request.repeat(10));
    expect(String(await once(client, "data"))).toContain("text/event-stream");
    client.destroy();
  }
  await until("there are places", async () => {
    const listen = () => browser.fetch("GET", "/dashboard/live");
    const answers = await Promise.all([listen(), listen()]);
    await Promise.all(answers.map(({ body }) => body?.cancel()));
    return answers.every(({ status }) => status === 200);
  });
});

test("one person takes a few places, and leaves those of colleagues free", async () => {
  const { origin } = running;
  const owner = await signUp(origin, "tabs@people.example");
  const colleague = await inviteAs(owner, "Viewer", "colleague@people.example");
  const streams = await Promise.all(
    Array.from({ length: 10 }, () => owner.browser.fetch("GET", "/dashboard/live")),
  );
  expect(streams.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const refused = await owner.browser.fetch("GET", "/dashboard/live");
  const free = await colleague.browser.fetch("GET", "/dashboard/live");
  await Promise.all([...streams, refused, free].map(({ body }) => body?.cancel()));
  expect([refused.status, free.status]).toEqual([429, 200]);
});
