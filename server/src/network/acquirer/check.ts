import { additionalAmountsOf } from "../iso8583/elements/additional-amounts.ts";
import type { FieldNumber, Message } from "../iso8583/fields.ts";
import { networkResponses } from "../iso8583/response.ts";

/** What an answer must repeat of its message, and what one to a malformed message does not. */
const repeated: readonly FieldNumber[] = [7, 11, 32, 37, 41, 42];
const repeatedOfGood: readonly FieldNumber[] = [2, 3, 4, 49];
const MALFORMED = "30";

/** What is wrong with an answer, whatever it says. Nothing of what stood in it is told. */
export function faultsOf(request: Message, answer: Message): string[] {
  const { 39: response, 38: approvalCode } = answer.fields;
  const numbers = response === MALFORMED ? repeated : [...repeated, ...repeatedOfGood];
  const faults = numbers
    .filter((number) => request.fields[number] !== answer.fields[number])
    .map((number) => `DE ${number} is not what was sent`);
  if (response === undefined || !Object.hasOwn(networkResponses, response)) {
    faults.push("DE 39 is none of the documented values");
  }
  const isRequest = /^0[12]0[01]$/.test(request.mti);
  if (isRequest && response === "00" && approvalCode === undefined) {
    faults.push("an approval has no DE 38");
  }
  if (response !== "00" && approvalCode !== undefined) faults.push("a refusal has a DE 38");
  if (answer.fields[54] !== undefined) faults.push(...faultsOfBalance(answer));
  return faults;
}

function faultsOfBalance(answer: Message): string[] {
  const amounts = additionalAmountsOf(answer) ?? [];
  const isRead = amounts.length === 1 && amounts.every(({ amountType }) => amountType === "02");
  return isRead ? [] : ["DE 54 is not what is available"];
}
