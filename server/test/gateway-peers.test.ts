import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../src/foundation/log.ts";
import { AcquirerConnection, NoAnswer } from "../src/network/acquirer/connection.ts";
import { Terminal } from "../src/network/acquirer/terminal.ts";
import { startService } from "../src/service.ts";
import { readSetup } from "../src/setup.ts";
import { writeCertificate } from "./harness/certificates.ts";
import { until } from "./harness/eventually.ts";
import { heard, placeOf, startNetworkSandbox } from "./harness/network.ts";
import { freePort } from "./harness/process.ts";
import { startTestProduction } from "./harness/production.ts";
import { startTestService } from "./harness/service.ts";

const directory = mkdtempSync(join(tmpdir(), "florin-peers-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function peersFile(entries: object[]): string {
  const path = join(directory, `peers-${entries.length}-${Math.random()}.json`);
  writeFileSync(path, JSON.stringify(entries));
  return path;
}

/** Nobody who is turned away is told why. */
async function expectTurnedAway(address: string): Promise<void> {
  const { host, port } = placeOf(address);
  const socket = connect({ host, port });
  const heardBytes = new Promise<number>((resolve) => {
    let bytes = 0;
    socket.on("data", (segment) => {
      bytes += segment.length;
    });
    socket.on("error", () => undefined).on("close", () => resolve(bytes));
  });
  expect(await heardBytes).toBe(0);
}

describe("who may connect", () => {
  test("in a sandbox, whoever is on this machine", async () => {
    const network = await startNetworkSandbox();
    const acquirer = await network.connect();
    expect(heard(await acquirer.ask(network.terminal.management("301")))).toBe("00");
    await network.stop();
  });

  // Elsewhere loopback has but one address.
  test.runIf(process.platform === "linux")("in a sandbox, at no other address", async () => {
    const service = await startTestService();
    const { port } = placeOf(service.networkAddress);
    const [error] = await once(connect({ host: "127.0.0.2", port }), "error");
    await service.stop();
    expect(error).toMatchObject({ code: "ECONNREFUSED" });
  });

  test("with a file, the peers in it alone, and each as often as it may", async () => {
    const allowed = peersFile([
      { name: "acme", addresses: ["127.0.0.1"], maxConnections: 2, acquirers: ["412345"] },
    ]);
    const network = await startNetworkSandbox({ FLORIN_NETWORK_PEERS_FILE: allowed });
    const [first] = [await network.connect(), await network.connect()];
    await expectTurnedAway(network.service.networkAddress);
    const card = await network.issue(10);
    expect(heard(await first.ask(network.terminal.purchase(card, 100n)))).toBe("00");
    const others = new Terminal({ acquirer: "7" });
    expect(heard(await first.ask(others.purchase(card, 100n)))).toBe("92");
    const padded = new Terminal({ acquirer: "00412345" });
    expect(heard(await first.ask(padded.purchase(card, 100n)))).toBe("00");
    const { 90: original = "" } = others.reversal(others.purchase(card, 100n)).fields;
    const { mti, fields } = network.terminal.reversal(network.terminal.purchase(card, 100n));
    expect(heard(await first.ask({ mti, fields: { ...fields, 90: original } }))).toBe("92");
    const { 32: _acquirer, ...nobodys } = network.terminal.purchase(card, 100n).fields;
    expect(heard(await first.ask({ mti: "0100", fields: nobodys }))).toBe("30");
    first.cut();
    await until("there is room again", async () => {
      const next = await network.connect();
      return next.ask(network.terminal.management("301")).then(
        (answer) => heard(answer) === "00",
        () => false,
      );
    });
    await network.stop();
  });

  test("with acquirers of its own, nothing that it sends is about others' payments", async () => {
    const file = peersFile([{ name: "acme", addresses: ["127.0.0.1"], acquirers: ["412345"] }]);
    const network = await startNetworkSandbox({ FLORIN_NETWORK_PEERS_FILE: file });
    const { pool, terminal } = network;
    const acquirer = await network.connect();
    const card = await network.issue(100);
    const purchase = terminal.purchase(card, 1_000n);
    expect(heard(await acquirer.ask(purchase))).toBe("00");
    // As if another had brought it.
    await pool.query(
      "update transactions set network_reference = '777777' || right(network_reference, 28) where network_reference ~ '^412345'",
    );
    const named = terminal.reversal(purchase).fields;
    const { 90: original = "", ...unnamed } = terminal.reversal(purchase).fields;
    const anybodys = `${original.slice(0, 20)}${"0".repeat(22)}`;
    for (const fields of [
      named,
      unnamed,
      { ...terminal.reversal(purchase).fields, 90: anybodys },
    ]) {
      await acquirer.ask({ mti: "0400", fields });
      expect(await network.balanceOf(card)).toEqual([100, 10]);
    }
    // Not about that payment, and so on its own.
    expect(heard(await acquirer.ask(terminal.completion(purchase, 1_000n, "USD")))).toBe("00");
    expect(await network.balanceOf(card)).toEqual([90, 10]);
    await network.stop();
  });

  test("nobody from elsewhere", async () => {
    const file = peersFile([{ name: "acme", addresses: ["192.0.2.0/24"] }]);
    const service = await startTestService({ FLORIN_NETWORK_PEERS_FILE: file });
    await expectTurnedAway(service.networkAddress);
    await service.stop();
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ["a file that is not there", { FLORIN_NETWORK_PEERS_FILE: "/nowhere" }, /cannot be read/],
    [
      "a certificate without its key",
      { FLORIN_NETWORK_TLS_CERT_FILE: "/nowhere" },
      /FLORIN_NETWORK_TLS_KEY_FILE go together/,
    ],
  ])("%s is told at the start", async (_what, overrides, problem) => {
    await expect(startTestService(overrides)).rejects.toThrow(problem);
  });

  test("a port that is taken is told by its key", async () => {
    const service = await startTestService();
    const { port } = placeOf(service.networkAddress);
    const second = startTestService({ FLORIN_NETWORK_PORT: String(port) });
    await expect(second).rejects.toThrow(/FLORIN_NETWORK_PORT/);
    await service.stop();
  });
});

describe("production", () => {
  test("has no gateway without peers", async () => {
    const port = await freePort();
    const production = await startTestProduction({ FLORIN_NETWORK_PORT: String(port) });
    const opened = AcquirerConnection.open({ host: "127.0.0.1", port });
    await expect(opened).rejects.toThrow(/ECONNREFUSED/);
    await production.stop();
  });

  test("answers nothing about cards before a peer has signed on, nor after it signed off", async () => {
    const port = await freePort();
    const file = peersFile([{ name: "acme", addresses: ["127.0.0.1"] }]);
    const overrides = { FLORIN_NETWORK_PORT: String(port), FLORIN_NETWORK_PEERS_FILE: file };
    const production = await startTestProduction(overrides);
    const acquirer = await AcquirerConnection.open({ host: "127.0.0.1", port });
    const terminal = new Terminal();
    const unknown = { pan: "4111111111111111", currency: "USD" } as const;
    const ask = async () => heard(await acquirer.ask(terminal.purchase(unknown, 1n)));
    expect(heard(await acquirer.ask(terminal.management("301")))).toBe("00");
    expect(await ask()).toBe("63");
    expect(heard(await acquirer.ask(terminal.management("001")))).toBe("00");
    expect(await ask()).toBe("14");
    expect(heard(await acquirer.ask(terminal.management("002")))).toBe("00");
    expect(await ask()).toBe("63");
    acquirer.cut();
    await production.stop();
  });
});

describe("with TLS", () => {
  const pem = (name: string): { cert: string; key: string } => ({
    cert: join(directory, `${name}.crt`),
    key: join(directory, `${name}.key`),
  });
  const read = (name: string) => ({
    cert: readFileSync(pem(name).cert, "utf8"),
    key: readFileSync(pem(name).key, "utf8"),
  });
  beforeAll(() => {
    for (const name of ["gateway", "acme", "stranger"]) writeCertificate(directory, name);
  });

  const startWithTls = () => {
    const { fingerprint256 } = new X509Certificate(readFileSync(pem("acme").cert));
    const { cert, key } = pem("gateway");
    return startTestService({
      FLORIN_NETWORK_TLS_CERT_FILE: cert,
      FLORIN_NETWORK_TLS_KEY_FILE: key,
      FLORIN_NETWORK_PEERS_FILE: peersFile([
        { name: "acme", addresses: ["127.0.0.1"], certificates: [fingerprint256] },
      ]),
    });
  };
  const tlsAs = (name: string) => ({
    ...read(name),
    ca: read("gateway").cert,
    servername: "gateway",
  });

  test("a peer is known by its certificate, and nobody else gets an answer", async () => {
    const service = await startWithTls();
    const place = placeOf(service.networkAddress);
    const open = (name: string) => AcquirerConnection.open({ ...place, tls: tlsAs(name) });
    const terminal = new Terminal();
    const acme = await open("acme");
    expect(heard(await acme.ask(terminal.management("001")))).toBe("00");
    const stranger = await open("stranger");
    await expect(stranger.ask(terminal.management("001"))).rejects.toThrow(NoAnswer);
    await expectTurnedAwayWithoutTls(service.networkAddress);
    expect(heard(await acme.ask(terminal.management("301")))).toBe("00");
    acme.cut();
    await service.stop();
  });

  test("a stop lets nobody in whose handshake was not over", async () => {
    const service = await startWithTls();
    const place = placeOf(service.networkAddress);
    const silent = connect(place).on("error", () => undefined);
    await once(silent, "connect");
    // Whoever comes later is let in later.
    (await AcquirerConnection.open({ ...place, tls: tlsAs("acme") })).cut();
    const stopping = service.stop();
    await until("it listens no more", () =>
      AcquirerConnection.open({ ...place, tls: tlsAs("acme") }).then(
        (connection) => {
          connection.cut();
          return false;
        },
        () => true,
      ),
    );
    const late = connectTls({ socket: silent, ...tlsAs("acme") });
    const end = await new Promise((resolve) => {
      for (const event of ["secureConnect", "error", "close"]) {
        late.on(event, () => resolve(event));
      }
    });
    late.destroy();
    await stopping;
    expect(end).not.toBe("secureConnect");
  });

  async function expectTurnedAwayWithoutTls(address: string): Promise<void> {
    const plain = await AcquirerConnection.open({ ...placeOf(address), answerMs: 2_000 });
    await expect(plain.ask(new Terminal().management("301"))).rejects.toThrow(NoAnswer);
    plain.cut();
  }
});

test("a peer that is silent is asked whether it is there; one that is not is disconnected", async () => {
  const network = await startNetworkSandbox({ FLORIN_NETWORK_ECHO_S: "1" });
  const alive = await network.connect();
  const { host, port } = placeOf(network.service.networkAddress);
  const dead = connect({ host, port, noDelay: true });
  const bytes: Buffer[] = [];
  dead.on("data", (segment) => bytes.push(segment)).on("error", () => undefined);
  let isClosed = false;
  dead.on("close", () => {
    isClosed = true;
  });
  await until("the dead one is disconnected", () => isClosed);
  expect(Buffer.concat(bytes).toString("latin1")).toMatch(/0800.*301$/s);
  // The other has answered its echoes, and is served on.
  expect(heard(await alive.ask(network.terminal.management("301")))).toBe("00");
  await network.stop();
});

test("a stop answers all that took effect, and waits neither for idle peers nor for deaf ones", async () => {
  const network = await startNetworkSandbox();
  const card = await network.issue(100);
  // On the same database, so that what it leaves behind can be seen.
  const setup = await readSetup(network.service.environment);
  const stopping = await startService(setup, createLog({ level: "silent" }));
  const place = placeOf(stopping.addresses.network ?? "");
  const [busy, idle, deaf] = [
    await AcquirerConnection.open(place),
    await AcquirerConnection.open(place),
    await AcquirerConnection.open(place),
  ];
  deaf.pause();
  const answers = Array.from({ length: 200 }, () => busy.ask(network.terminal.purchase(card, 1n)));
  const all = Promise.allSettled(answers);
  await Promise.race(answers);
  await stopping.stop();
  const told = (await all).flatMap((outcome) =>
    outcome.status === "fulfilled" ? [heard(outcome.value)] : [],
  );
  expect(new Set(told)).toEqual(new Set(["00"]));
  const { heldAmount } = await network.get(`/cards/${card.cardId}`);
  expect(heldAmount).toBe(told.length / 100);
  await idle.closed;
  deaf.cut();
  await expect(AcquirerConnection.open(place)).rejects.toThrow(/ECONNREFUSED/);
  await network.stop();
});
