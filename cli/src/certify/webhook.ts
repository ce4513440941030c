import { randomBytes } from "node:crypto";
import { type SignedMessage, signMessage } from "../webhook/message.ts";
import { type Delivery, isAccepted, post } from "../webhook/post.ts";
import { all, type Check, failed, notJudged, passed, type Verdict } from "./check.ts";
import { forgeryChecks } from "./forgeries.ts";
import { latencyText } from "./latency.ts";
import type { Probe } from "./probe.ts";
import { cardStory, type SampleEvent, sampleId } from "./samples.ts";

const BURST = 50;

export interface WebhookTarget {
  url: string;
  key: Buffer;
  probe: Probe | undefined;
}

/** What a receiver of webhooks must do, in the order in which it is worth knowing. */
export function webhookChecks(target: WebhookTarget): Check[] {
  const { url, key } = target;
  const send = (event: SampleEvent): Promise<Delivery> => post(url, messageOf(key, event));
  const sample = (): { id: string; body: string } => {
    const [event] = cardStory(sampleId("card"));
    return { id: event.eventId, body: JSON.stringify(event) };
  };
  return [
    {
      name: "accepts a signed event",
      run: async () => accepted(await send(cardStory(sampleId("card"))[0])),
    },
    ...forgeryChecks(url, key, sample),
    {
      name: "accepts either of two signatures, as during a rotation of the secret",
      run: async () => accepted(await post(url, rotated(key, cardStory(sampleId("card"))[0]))),
    },
    {
      name: "accepts types and fields that it does not know",
      run: async () => {
        const [event] = cardStory(sampleId("card"));
        const data = { ...event.data, addedLater: { nested: [1] } };
        return accepted(await send({ ...event, eventType: "card.added_later", data }));
      },
    },
    {
      name: "accepts a duplicate, so that it is not sent for ever",
      run: () => acceptsDuplicate(send),
    },
    { name: "acts once on a duplicate", run: () => actsOnce(target, send, "later") },
    {
      name: "acts once on two copies that arrive at the same moment",
      run: () => actsOnce(target, send, "at once"),
    },
    { name: "ends in the same state whatever the order", run: () => anyOrder(target, send) },
    { name: `answers ${BURST} events at once within 10 seconds each`, run: () => burst(send) },
  ];
}

const messageOf = (key: Buffer, event: SampleEvent): SignedMessage =>
  signMessage(key, event.eventId, JSON.stringify(event));

function rotated(key: Buffer, event: SampleEvent): SignedMessage {
  const good = messageOf(key, event);
  const other = signMessage(randomBytes(24), event.eventId, good.body).headers["webhook-signature"];
  const both = `${other} ${good.headers["webhook-signature"]}`;
  return { ...good, headers: { ...good.headers, "webhook-signature": both } };
}

function accepted({ status, error, durationMs }: Delivery): Verdict {
  if (status === undefined) return failed(`no answer: ${error}`);
  const answer = `answered ${status} in ${Math.round(durationMs)} ms`;
  if (status >= 200 && status < 300) return passed(answer);
  const isSecret = status === 401 || status === 403;
  const hint = isSecret ? "has it the same secret as you?" : "only 2xx is an acknowledgement";
  return failed(`${answer}; ${hint}`);
}

type Send = (event: SampleEvent) => Promise<Delivery>;

async function acceptsDuplicate(send: Send): Promise<Verdict> {
  const [event] = cardStory(sampleId("card"));
  return all([async () => accepted(await send(event)), async () => accepted(await send(event))]);
}

/** Sends one event twice. What the receiver tells of itself must change with the first copy, and then no more. */
async function actsOnce(
  { probe }: WebhookTarget,
  send: Send,
  when: "later" | "at once",
): Promise<Verdict> {
  if (probe === undefined)
    return notJudged("what it does cannot be seen from outside: name a --probe");
  const cardId = sampleId("card");
  // The effect of one event is learnt from one card, and expected of the other.
  const single = sampleId("card");
  const [event] = cardStory(cardId);
  const effect = await effectOf(probe, single, () => send(cardStory(single)[0]));
  if (effect.before === effect.after)
    return notJudged("the probe does not change when an event arrives");
  const before = await probe.read(cardId);
  if (when === "at once") {
    const both = await Promise.all([send(event), send(event)]);
    if (!both.every(isAccepted))
      return failed(`answered ${both.map(({ status }) => status).join(" and ")}`);
    return sameAs(probe, cardId, before, effect, single);
  }
  await send(event);
  const once = await probe.readOnceChanged(cardId, before);
  await send(event);
  const twice = await probe.readLater(cardId);
  return once === twice
    ? passed("the second copy changed nothing")
    : failed(`the second copy changed what it knows, from ${shorten(once)} to ${shorten(twice)}`);
}

async function effectOf(
  probe: Probe,
  cardId: string,
  act: () => Promise<unknown>,
): Promise<{ before: string; after: string }> {
  const before = await probe.read(cardId);
  await act();
  return { before, after: await probe.readOnceChanged(cardId, before) };
}

/** Two copies at once must leave what one event leaves; and a third, later, must change nothing either. */
async function sameAs(
  probe: Probe,
  cardId: string,
  before: string,
  effect: { before: string; after: string },
  single: string,
): Promise<Verdict> {
  await probe.readOnceChanged(cardId, before);
  const after = await probe.readLater(cardId);
  const isSame = probe.isPerCard
    ? after.replaceAll(cardId, single) === effect.after
    : countsIn(after, before) === countsIn(effect.after, effect.before);
  return isSame
    ? passed("both copies together changed what one event changes")
    : failed(`two copies left ${shorten(after)}, where one event leaves ${shorten(effect.after)}`);
}

/** By how much all numbers in a probe's answer have grown together, wherever it counts. */
function countsIn(after: string, before: string): number {
  const sum = (text: string): number =>
    [...text.replace(/"(?:[^"\\]|\\.)*"/g, "").matchAll(/-?\d+(?:\.\d+)?/g)].reduce(
      (total, [n]) => total + Number(n),
      0,
    );
  return Number((sum(after) - sum(before)).toFixed(6));
}

/** Plays one card's life in order and another's out of order; both must be known alike in the end. */
async function anyOrder({ probe }: WebhookTarget, send: Send): Promise<Verdict> {
  const [ordered, mixed] = [sampleId("card"), sampleId("card")];
  const [one, two, three] = cardStory(ordered);
  const [first, second, third] = cardStory(mixed);
  for (const event of [one, two, three, first, third, second]) {
    const delivery = await send(event);
    if (!isAccepted(delivery))
      return failed(`answered ${delivery.status ?? delivery.error} to ${event.eventType}`);
  }
  if (probe === undefined || !probe.isPerCard) {
    return notJudged("its state cannot be seen from outside: name a --probe with {cardId} in it");
  }
  await probe.readLater(ordered);
  const [inOrder, outOfOrder] = [await probe.read(ordered), await probe.read(mixed)];
  return inOrder.replaceAll(ordered, mixed) === outOfOrder
    ? passed("a late event did not overwrite a newer one")
    : failed(
        `out of order it knows ${shorten(outOfOrder)}, in order ${shorten(inOrder)}: go by sequence`,
      );
}

async function burst(send: Send): Promise<Verdict> {
  const events = Array.from({ length: BURST }, () => cardStory(sampleId("card"))[0]);
  const deliveries = await Promise.all(events.map(send));
  const missed = deliveries.filter((delivery) => !isAccepted(delivery));
  const times = latencyText(deliveries.map(({ durationMs }) => durationMs));
  if (missed.length === 0) return passed(times);
  return failed(
    `${missed.length} were not accepted, the first with ${missed[0]?.status ?? missed[0]?.error}; ${times}`,
  );
}

const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}…` : text);
