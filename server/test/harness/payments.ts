import type { ApiAnswer, ApiClient, CallOptions } from "./api-client.ts";

/** The card network's side of a sandbox: what merchants do with cards. */
export interface Payments {
  buy(cardId: string, amount: number, more?: object, options?: CallOptions): Promise<ApiAnswer>;
  rehearse(cardId: string, amount: number, more?: object): Promise<ApiAnswer>;
  settle(transactionId: string, more?: object, options?: CallOptions): Promise<ApiAnswer>;
  reverse(transactionId: string, more?: object, options?: CallOptions): Promise<ApiAnswer>;
  refund(transactionId: string, more?: object, options?: CallOptions): Promise<ApiAnswer>;
  forcePost(cardId: string, amount: number, more?: object): Promise<ApiAnswer>;
  refundUnlinked(cardId: string, amount: number, more?: object): Promise<ApiAnswer>;
  advance(seconds: number): Promise<ApiAnswer>;
  /** Makes sure that the day does not end in the middle of a test. */
  leaveMidnight(): Promise<void>;
}

export function paymentsOf(client: ApiClient): Payments {
  const follow =
    (action: string): Payments["settle"] =>
    (transactionId, more = {}, options = {}) =>
      client.post(`/simulator/transactions/${transactionId}/${action}`, more, options);
  const advance = async (seconds: number): Promise<ApiAnswer> => {
    const answer = await client.post("/simulator/clock/advance", { seconds });
    // Tokens follow the service's time.
    client.forgetToken();
    return answer;
  };
  return {
    buy: (cardId, amount, more = {}, options = {}) =>
      client.post("/simulator/authorizations", { cardId, amount, ...more }, options),
    rehearse: (cardId, amount, more = {}) =>
      client.post("/authorizations/dry-run", { cardId, amount, ...more }),
    settle: follow("settle"),
    reverse: follow("reverse"),
    refund: follow("refund"),
    forcePost: (cardId, amount, more = {}) =>
      client.post("/simulator/settlements", { cardId, amount, ...more }),
    refundUnlinked: (cardId, amount, more = {}) =>
      client.post("/simulator/refunds", { cardId, amount, ...more }),
    advance,
    leaveMidnight: async () => {
      const { now } = (await advance(1)).body.data;
      if (/T23:[45]/.test(now)) await advance(DAY_S / 12);
    },
  };
}

export const DAY_S = 86_400;

/** What an authorization was answered with: "000", or the code of its decline. */
export const decided = ({ body }: ApiAnswer): string =>
  body.data?.responseCode ?? `refused ${body.responseCode}`;
