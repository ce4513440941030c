import { isoTime } from "../../foundation/dates.ts";

/** An event as it is told. */
export interface Message {
  eventId: string;
  eventType: string;
  createdAt: Date;
  sequence: bigint | null;
  clientReference: string | null;
  /** JSON already, as it is stored; it is never read on its way out. */
  dataJson: string;
}

/** The body of a delivery. The same event has the same body each time. */
export function bodyOf(message: Message): string {
  const { eventId, eventType, createdAt, sequence, clientReference, dataJson } = message;
  const reference =
    clientReference === null ? "" : `"clientReference":${JSON.stringify(clientReference)},`;
  return (
    `{"eventId":"${eventId}","eventType":"${eventType}","createdAt":"${isoTime(createdAt)}",` +
    `"sequence":${sequence},${reference}"data":${dataJson}}`
  );
}
