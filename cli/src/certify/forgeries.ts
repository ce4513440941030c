import { randomBytes } from "node:crypto";
import { type SignedMessage, signMessage } from "../webhook/message.ts";
import { type Delivery, post } from "../webhook/post.ts";
import { type Check, failed, passed, type Verdict } from "./check.ts";

const TOO_OLD_S = 600;

/** What must be refused, whatever a receiver is for: nothing here was signed by us, just now. */
export function forgeryChecks(
  url: string,
  key: Buffer,
  sample: () => { id: string; body: string },
): Check[] {
  const refuses = (name: string, forge: (id: string, body: string) => SignedMessage): Check => ({
    name,
    run: async () => {
      const { id, body } = sample();
      return refused(await post(url, forge(id, body)));
    },
  });
  const nowS = (): number => Math.floor(Date.now() / 1000);
  return [
    refuses("refuses what another secret has signed", (id, body) =>
      signMessage(randomBytes(24), id, body),
    ),
    refuses("refuses a body that was changed after it was signed", (id, body) => ({
      ...signMessage(key, id, body),
      body: body.replace("{", '{"added":true,'),
    })),
    refuses("refuses a message without a signature", (id, body) => {
      const { "webhook-signature": _, ...headers } = signMessage(key, id, body).headers;
      return { headers, body };
    }),
    refuses("refuses a signature of another message", (id, body) => {
      const other = signMessage(key, `${id}x`, body).headers["webhook-signature"] ?? "";
      return {
        body,
        headers: { ...signMessage(key, id, body).headers, "webhook-signature": other },
      };
    }),
    refuses("refuses a message that was signed ten minutes ago", (id, body) =>
      signMessage(key, id, body, nowS() - TOO_OLD_S),
    ),
  ];
}

function refused(delivery: Delivery): Verdict {
  const { status, error } = delivery;
  if (status === undefined) return failed(`no answer: ${error}`);
  if (status >= 400 && status < 500) return passed(`answered ${status}`);
  if (status >= 500)
    return failed(`answered ${status}: it must refuse, not fail; 401 says it best`);
  return failed(
    `answered ${status}, as if it were genuine: verify the signature before anything else`,
  );
}
