import { describe, expect, test } from "vitest";
import { detailOf } from "./detail.ts";

const mccs = Array.from({ length: 60 }, (_, n) => String(1000 + n));

describe("of what was sent, the audit keeps", () => {
  test.each([
    ["nothing of nothing", "POST", undefined, {}],
    ["what moved", "POST", { amount: 5, currency: "USD" }, { amount: 5 }],
    ["what a new card got", "POST", { initialBalance: 10 }, { amount: 10 }],
    [
      "limits and lists with their names",
      "PATCH",
      { cardLimits: { dailyLimit: 500, transactionLimit: null }, blackListedMccs: ["7995"] },
      {
        changed: ["cardLimits", "blackListedMccs"],
        cardLimits: { dailyLimit: 500, transactionLimit: null },
        blackListedMccs: ["7995"],
      },
    ],
    [
      "only the names of what may hold a secret",
      "PATCH",
      { url: "https://hooks.example/?token=hush", status: "Disabled", metadata: { pin: "1" } },
      { changed: ["url", "status", "metadata"], status: "Disabled" },
    ],
    [
      "nothing of a person or a card number",
      "POST",
      { individualKyc: { idNumber: "22222222222" }, pan: "4111111111111111", cvv: "123" },
      {},
    ],
    [
      "merchants, and nothing that is none",
      "POST",
      ["SHOP0001", "4111 1111 1111 1111", "4111111111111111"],
      { merchants: ["SHOP0001"] },
    ],
    [
      "the beginning of a long list",
      "PATCH",
      { whiteListedMccs: mccs },
      { changed: ["whiteListedMccs"], whiteListedMccs: [...mccs.slice(0, 50), "and 10 more"] },
    ],
  ])("%s", (_name, method, body, kept) => {
    expect(detailOf(method, body)).toEqual(kept);
  });
});
