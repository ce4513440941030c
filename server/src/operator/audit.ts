import { decimalText } from "../foundation/money.ts";
import { type AuditReport, audit } from "../ledger/audit/audit.ts";
import { asJson, type Command, json, readArguments, withCore } from "./command.ts";
import { table } from "./table.ts";

export const auditCommand: Command = {
  name: "audit",
  parameters: "[--json]",
  summary: "Prove the books: exit 0 when they hold, 1 when they do not",
  run: async (invocation) => {
    const { values } = readArguments(invocation, [], json);
    const report = await withCore(invocation, ({ pool }) => audit(pool));
    invocation.print(values.json === true ? asJson(report) : asText(report));
    return report.problems.length === 0 ? 0 : 1;
  },
};

function asText({ currencies, problems, ...counts }: AuditReport): string {
  const rows = currencies.map((c) => [
    c.currency,
    String(c.postings),
    decimalText(c.debitsMinor, c.currency),
    decimalText(c.creditsMinor, c.currency),
    decimalText(c.ownedMinor, c.currency),
    decimalText(c.heldMinor, c.currency),
  ]);
  const figures = table(["currency", "postings", "debits", "credits", "owned", "held"], rows);
  const { accounts, cards, events, pendingCharges } = counts;
  const total = `Accounts: ${accounts}, cards: ${cards}, events: ${events}, pending charges: ${pendingCharges}.`;
  const verdict =
    problems.length === 0
      ? "The books hold: debits equal credits, every balance is the sum of its postings,\n" +
        "every hold is an open authorization, every payment's amounts are those of its postings,\n" +
        "every card has counted what it bought, and every event is in the feed, without a gap."
      : `The books do NOT hold:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`;
  return `${figures}\n${total}\n${verdict}`;
}
