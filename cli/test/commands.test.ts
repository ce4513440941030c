import { describe, expect, test } from "vitest";
import { until } from "../../server/test/harness/eventually.ts";
import { newDataDir, start } from "../../server/test/harness/process.ts";
import { Receiver } from "../../server/test/harness/receiver.ts";
import type { TestService } from "../../server/test/harness/service.ts";
import { florin } from "./harness/command.ts";
import { served } from "./harness/served.ts";

let service: TestService;
const { run, json } = served((opened) => {
  service = opened;
});

const dataOf = async (path: string) => (await service.client.get(path)).body.data;

test("whoami shows client, environment, addresses and wallets, and no secret", async () => {
  const { code, stdout } = await run("whoami");
  expect(code).toBe(0);
  const { clientId, apiUrl, identityUrl, clientSecret, uniqueKey, webhookSecret } = service.sandbox;
  for (const shown of [clientId, apiUrl, identityUrl, "sandbox", "100,000.00 USD"]) {
    expect(stdout).toContain(shown);
  }
  for (const secret of [clientSecret, uniqueKey, webhookSecret])
    expect(stdout).not.toContain(secret);
  const told = await json("whoami");
  expect(told).toMatchObject({ clientId, environment: "sandbox", wallets: [{ balance: 100_000 }] });
});

describe("cards", () => {
  test("are issued, listed, shown, frozen, funded and closed", async () => {
    const issued = await json("cards", "issue", "--balance", "1250.5", "--daily-limit", "300");
    expect(issued).toEqual(await dataOf(`/cards/${issued.cardId}`));
    expect(issued).toMatchObject({ balance: 1250.5, cardLimits: { dailyLimit: 300 } });
    const { cardId } = issued;

    const listed = await run("cards", "list", "--limit", "1");
    expect(listed.stdout).toContain(`${cardId}  Active  Retail`);
    expect(listed.stdout).toContain("1,250.50 USD");
    expect(await json("cards", "list", "--limit", "1")).toEqual([issued]);

    expect((await run("cards", "freeze", cardId)).stdout).toMatch(/status +Frozen/);
    expect((await json("cards", "unfreeze", cardId)).status).toBe("Active");
    expect(await json("cards", "top-up", cardId, "49.50")).toMatchObject({ cardBalance: 1300 });
    expect(await json("cards", "withdraw", cardId, "300")).toMatchObject({ cardBalance: 1000 });
    const closed = await json("cards", "terminate", cardId, "--reason", "Lost", "--yes");
    expect(closed).toMatchObject({ status: "Terminated", terminationReason: "Lost" });
  });

  test.each([[[]], [["--json"]]])("are not closed unasked, with %j", async (options) => {
    const { cardId } = await json("cards", "issue");
    const { code, stdout, stderr } = await run("cards", "terminate", cardId, ...options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/cannot be undone.* --yes/);
    expect((await dataOf(`/cards/${cardId}`)).status).toBe("Active");
  });

  test("show their number and CVV on purpose only", async () => {
    const { cardId } = await json("cards", "issue");
    const { pan, cvv } = await dataOf(`/cards/${cardId}/secure`);
    const plain = await run("cards", "show", cardId);
    expect(plain.stdout).not.toContain(pan);
    expect(plain.stdout).not.toContain("CVV");
    const { stdout } = await run("cards", "show", cardId, "--reveal");
    expect(stdout).toMatch(new RegExp(`whole number +${pan}\nCVV +${cvv}\n`));
  });

  test("of every type, and transfers between them", async () => {
    const lite = await json("cards", "issue", "--type", "lite", "--balance", "20", "--swipes", "2");
    expect(lite).toMatchObject({ type: "Lite", swipeCount: 2, balance: 20 });
    const firm = await json("cards", "issue", "--type", "corporate", "--balance", "50");
    const other = await json("cards", "issue");
    const moved = await json("cards", "transfer", firm.cardId, other.cardId, "20.25");
    expect(moved).toMatchObject({ type: "Transfer", cardBalance: 29.75 });
  });
});

describe("a customer with a card below zero", () => {
  const owe = async (customerId: string): Promise<void> => {
    const { cardId } = (await service.client.post("/cards/retail", { customerId })).body.data;
    await json("simulate", "force-post", cardId, "10");
  };

  test("gets no other card, but the sandbox makes another customer up", async () => {
    const { customerId } = await json("cards", "issue");
    await owe(customerId);
    const issued = await json("cards", "issue", "--balance", "5");
    expect(issued.balance).toBe(5);
    expect(issued.customerId).not.toBe(customerId);
    const refused = await run("cards", "issue", "--customer", customerId);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^Refused: 161 .*\n.*\n {2}A card of this customer is below zero/,
    );
  });

  test("is no hindrance for first-card", async () => {
    const first = /"customerId": "(cus_\w+)"/.exec((await run("first-card")).stdout)?.[1] ?? "";
    await owe(first);
    const { code, stdout } = await run("first-card");
    expect(code).toBe(0);
    expect(stdout).toMatch(/Refused with 161[\s\S]*simulate authorize card_\w+ 25\.50/);
  });
});

test("first-card prints the card alone for programs", async () => {
  const issued = await json("first-card");
  expect(issued).toEqual(await dataOf(`/cards/${issued.cardId}`));
});

test("what first-card suggests works in a terminal where nothing is set", async () => {
  const { stdout } = await run("first-card");
  const [, folder = "", words = ""] =
    /^ {2}FLORIN_DATA_DIR='(.+)' npm run florin -- (simulate .+)$/m.exec(stdout) ?? [];
  const { code } = await florin(words.split(" "), { FLORIN_DATA_DIR: folder });
  expect(code).toBe(0);
});

test("what a new card is suggested for works", async () => {
  for (const balance of [[], ["--balance", "3"]]) {
    const { stderr } = await run("cards", "issue", ...balance);
    const suggested = [...stderr.matchAll(/npm run florin -- (.*)$/gm)];
    expect(suggested.length).toBeGreaterThan(0);
    for (const [, words = ""] of suggested) expect((await run(...words.split(" "))).code).toBe(0);
  }
});

describe("simulate", () => {
  test("a purchase, its settlement and its refund", async () => {
    const { cardId } = await json("cards", "issue", "--balance", "100");
    const bought = await json("simulate", "authorize", cardId, "25.50", "--country", "FR");
    expect(bought).toMatchObject({ approved: true, merchant: { country: "FR" }, heldAmount: 25.5 });
    const { transactionId } = bought;
    const settled = await json("simulate", "settle", transactionId, "20");
    expect(settled).toMatchObject({ stage: "Settlement", settledAmount: 20 });
    const refunded = await json("simulate", "refund", transactionId);
    expect(refunded).toMatchObject({ stage: "Refund", refundedAmount: 20 });
    const { stdout } = await run("transactions", "list", "--card", cardId);
    expect(stdout).toMatch(new RegExp(`${transactionId} .* Refund +approved .* 25\\.50 USD`));
    expect((await run("transactions", "show", transactionId)).stdout).toMatch(/checks +\d+ passed/);
  });

  test("a part of a purchase, while the rest stays held", async () => {
    const { cardId } = await json("cards", "issue", "--balance", "100");
    const { transactionId } = await json("simulate", "authorize", cardId, "50");
    const partly = await json("simulate", "settle", transactionId, "20", "--partial");
    expect(partly).toMatchObject({ settledAmount: 20, heldAmount: 30 });
    const reversed = await json("simulate", "reverse", transactionId);
    expect(reversed).toMatchObject({ settledAmount: 20, heldAmount: 0 });
  });

  test("a decline ends with 1 and says which check failed", async () => {
    const { cardId } = await json("cards", "issue", "--balance", "10");
    const { code, stdout } = await run("simulate", "authorize", cardId, "10.01");
    expect(code).toBe(1);
    expect(stdout).toMatch(/answer +116 Insufficient funds/);
    expect(stdout).toMatch(/checks +\d+ passed, balance failed/);
    const rehearsed = await run("simulate", "authorize", cardId, "10", "--dry-run");
    expect(rehearsed.code).toBe(0);
    expect((await dataOf(`/cards/${cardId}`)).heldAmount).toBe(0);
  });

  test("what was bought is sifted by type and by how it was answered", async () => {
    const { cardId } = await json("cards", "issue", "--balance", "10");
    await run("simulate", "authorize", cardId, "11");
    await run("simulate", "authorize", cardId, "4", "--type", "CashWithdrawal");
    const list = async (...filter: string[]): Promise<string[]> => {
      const found = await json("transactions", "list", "--card", cardId, ...filter);
      return found.map(({ type }: { type: string }) => type);
    };
    expect(await list()).toEqual(["CashWithdrawal", "Authorization", "InitialFunding"]);
    expect(await list("--type", "cashwithdrawal")).toEqual(["CashWithdrawal"]);
    expect(await list("--approved", "false")).toEqual(["Authorization"]);
    expect(await list("--approved", "true")).toEqual(["CashWithdrawal", "InitialFunding"]);
  });

  test("a purchase in another currency says what is billed, also when that is nothing", async () => {
    const { cardId } = await json("cards", "issue", "--balance", "10");
    const { stdout } = await run("simulate", "authorize", cardId, "500", "--currency", "JPY");
    expect(stdout).toMatch(/answer +121 /);
    expect(stdout).toMatch(/amount +500 JPY, billed 0\.00 USD\n/);
  });

  test("deposits, the clock and faults", async () => {
    expect(await json("simulate", "deposit", "NGN", "5000")).toMatchObject({ balance: 5000 });
    for (const [typed, told] of [
      ["2 minutes", "2 minutes"],
      ["8", "8 seconds"],
      ["1m", "1 minute"],
    ] as const) {
      const { stdout } = await run("simulate", "clock", ...typed.split(" "));
      expect(stdout).toMatch(new RegExp(`^Moved by ${told}: it is now 20`));
    }
    const fault = ["simulate", "fault", "duplicatedeliveries", "--count", "3"];
    expect((await run(...fault)).stdout).toBe("DuplicateDeliveries: 3 to come\n");
    expect((await run("simulate", "fault", "None")).stdout).toBe("Nothing will go wrong.\n");
  });
});

describe("events", () => {
  test("are listed, shown and sent again", async () => {
    const { cardId } = await json("cards", "issue");
    const [event] = await json("events", "list", "--card", cardId);
    expect(event).toMatchObject({ eventType: "card.issued", sequence: 1 });
    const shown = await run("events", "show", event.eventId);
    expect(shown.stdout).toContain("No deliveries so far.");
    expect((await run("events", "resend", event.eventId)).code).toBe(0);
  });

  test("are sifted by type and time, and the oldest come first where that is asked for", async () => {
    const { cardId } = await json("cards", "issue");
    await json("cards", "freeze", cardId);
    const list = async (...filter: string[]): Promise<string[]> => {
      const found = await json("events", "list", "--card", cardId, ...filter);
      return found.map(({ eventType }: { eventType: string }) => eventType);
    };
    expect(await list()).toEqual(["card.frozen", "card.issued"]);
    // An event has its place in the feed a moment after it happened.
    await until("both are in the feed", async () => (await list("--order", "asc")).length === 2);
    expect(await list("--order", "asc")).toEqual(["card.issued", "card.frozen"]);
    expect(await list("--type", "card.frozen")).toEqual(["card.frozen"]);
    expect(await list("--from", "2200-01-01")).toEqual([]);
    expect(await list("--to", "2020-01-01")).toEqual([]);
  });

  test("that are sent again arrive again", async () => {
    const receiver = await Receiver.open();
    const wanted = { url: receiver.url, eventTypes: ["card.issued"] };
    const endpoint = (await service.client.post("/webhook-endpoints", wanted)).body.data;
    await json("cards", "issue");
    const [first] = await receiver.until(1);
    expect((await run("events", "resend", first?.body.eventId)).code).toBe(0);
    const [, second] = await receiver.until(2);
    expect(second?.body).toEqual(first?.body);
    await service.client.call("DELETE", `/webhook-endpoints/${endpoint.webhookEndpointId}`);
    await receiver.goDown();
  });
});

describe("request and first-card", () => {
  test("request signs and sends any call, and prints the whole answer", async () => {
    const { code, stdout } = await run("request", "get", "wallets");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      responseCode: "000",
      data: expect.any(Array),
    });
    const paged = await run("request", "GET", "/cards?limit=1&status=Active");
    expect(JSON.parse(paged.stdout)).toMatchObject({ pagination: { limit: 1 } });
    const marked = await run("request", "GET", "/cards?limit=1#top");
    expect(JSON.parse(marked.stdout)).toMatchObject({ pagination: { limit: 1 } });
    const body = '{"currency":"USD","amount":0}';
    const refused = await run("request", "POST", "/simulator/wallets/deposits", "--body", body);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toEqual({
      responseCode: "111",
      responseMessage: expect.any(String),
      finality: "TerminalFailure",
      requestId: expect.any(String),
      data: null,
      errors: [{ field: "amount", message: expect.any(String) }],
    });
  });

  test("request sends the Reference that it is given", async () => {
    const body = ["--body", '{"currency":"USD","amount":1}', "--reference", "typed-by-hand"];
    const deposit = () => run("request", "POST", "/simulator/wallets/deposits", ...body);
    expect((await deposit()).code).toBe(0);
    const { code, stdout } = await deposit();
    expect([code, JSON.parse(stdout).responseCode]).toEqual([1, "139"]);
  });

  test("first-card goes from nothing to a card, as often as one likes", async () => {
    for (let n = 0; n < 2; n++) {
      const { code, stdout } = await run("first-card");
      expect(code).toBe(0);
      expect(stdout).toContain('"maskedPan": "411111******');
      const [, cardId] = /simulate authorize (card_\w+) 25\.50/.exec(stdout) ?? [];
      expect(await dataOf(`/cards/${cardId}`)).toMatchObject({ status: "Active", balance: 100 });
    }
  });
});

const LITE = ["cards", "issue", "--type", "lite", "--balance", "5", "--swipes", "1"];

describe("errors", () => {
  test("a refusal has its code, its finality in words, its fields and its request", async () => {
    const { cardId } = await json("cards", "issue");
    const refused = await run("cards", "top-up", cardId, "1000000");
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /^Refused: 114 .*\(final: do not retry .*\n {2}req_\w+, Reference \S+\n$/,
    );
    const filter = await run("cards", "list", "--currency", "dollars");
    expect(filter.code).toBe(1);
    expect(filter.stderr).toMatch(/^Refused: 131 .*\n {2}currency {2}\S/);
  });

  test.each([
    [["cards", "isue"], /Did you mean issue/],
    [["help", "cards", "isue"], /no command cards isue\. Did you mean issue\?/],
    [["help", "cards", "issue", "more"], /no command cards issue more\. .*--help" lists/],
    [["cards", "top-up", "card_x", "1.2.3"], /1\.2\.3 is no amount/],
    [["cards", "top-up", "card_x"], /missing required argument 'amount'/],
    [["cards", "issue", "--type", "lite"], /needs --balance and --swipes/],
    [["cards", "issue", "--swipes", "2"], /--swipes is for lite cards/],
    [[...LITE, "--contactless"], /--contactless is not for lite cards/],
    [[...LITE, "--name-on-card", "X"], /--name-on-card is not for lite cards/],
    [["simulate", "fault", "DropDeliveries", "--seconds", "5"], /--seconds is for DelayDeliveries/],
    [["simulate", "fault", "None", "--count", "5"], /--count is for faults/],
    [["transactions", "list", "--approved", "maybe"], /It is one of true, false/],
    [["simulate", "clock", "8", "weeks"], /How far\? Such as /],
    [["trigger", "card.eaten"], /no event card\.eaten/],
    [["trigger", "card.frozn"], /Did you mean card\.frozen\?/],
    [["listen", "--events", "bogus.thing"], /no event bogus\.thing.* trigger" lists them/],
    [["request", "POST", "/cards/retail", "--body", "{"], /not JSON/],
    [["--profile", "/nowhere/profile.json", "whoami"], /profile\.json cannot be read/],
  ])("what is typed wrongly is explained, with 2: %j", async (args, expected) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(expected);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("without a sandbox it is said where one was looked for", async () => {
    const { code, stderr } = await florin(["whoami"], { FLORIN_DATA_DIR: newDataDir() });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^\S+sandbox\.json cannot be read: .*npm start/);
  });

  test("a service that is down ends with 3 and one thing to do", async () => {
    const environment = { ...service.environment, FLORIN_API_URL: "http://127.0.0.1:2" };
    const { code, stderr } = await florin(["wallets"], environment);
    expect(code).toBe(3);
    expect(stderr).toMatch(/does not answer: .*\n.*npm start/);
    const doctor = await florin(["doctor"], environment);
    expect(doctor.code).toBe(3);
    expect(doctor.stdout).toMatch(/✗ service .*127\.0\.0\.1:2 does not answer/);
  });
});

describe("help", () => {
  test.each([
    [[], /^Usage: florin <command>/],
    [["cards"], /^Usage: florin cards /],
    [["cards", "issue"], /^Usage: florin cards issue .*\n[\s\S]*--balance/],
    [["org", "create"], /^Usage: florin org create <name>/],
  ])("for %j is what --help shows of it", async (words, expected) => {
    const { code, stdout, stderr } = await run("help", ...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(expected);
    expect((await run(...words, "--help")).stdout).toBe(stdout);
  });
});

describe("completion", () => {
  test("bash completes commands and options", async () => {
    const { stdout: script } = await run("completion", "bash");
    const lines = [
      "florin ca",
      "florin cards fr",
      "florin cards issue --bal",
      "florin org cre",
      "florin org list --",
    ];
    const calls = lines.map((line) => {
      const place = line.split(" ").length - 1;
      return `COMP_WORDS=(${line}); COMP_CWORD=${place}; _florin; echo "\${COMPREPLY[@]}"`;
    });
    const bash = start("bash", ["-c", [script, ...calls].join("\n")], {});
    await bash.exited;
    expect({ stdout: bash.stdout, stderr: bash.stderr }).toEqual({
      stdout: "cards\nfreeze\n--balance\ncreate\n--json --help\n",
      stderr: "",
    });
  });

  test("there is one for fish too, and for no other shell", async () => {
    expect((await run("completion", "fish")).stdout).toContain("complete -c florin");
    expect((await run("completion", "cmd")).code).toBe(2);
  });
});
