import { hash, verify } from "@node-rs/argon2";
import { addressKey } from "../../foundation/address.ts";
import { Failure } from "../../foundation/failure.ts";
import { Gate } from "../../foundation/gate.ts";

/** Argon2id as OWASP recommends it: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Of a password that nobody has, to take as long for an unknown address as for a known one. */
const NOBODYS =
  "$argon2id$v=19$m=19456,t=2,p=1$MN46x0yNpt+LiFc4r50lsA$WZb/s3jPtVqKZ2Cj63apXT4OeJwPCAe/TSGEdDOfrcw";

const MAX_AT_ONCE = 200;
const MAX_AT_ONCE_PER_ASKER = 25;

interface Turnstile {
  /** Lets nobody wait: whoever has too many under way is refused, and takes no place in the queue of `gate`. */
  door: Gate;
  /** Each takes a core and 19 MiB for a moment, so that few are worked on at once, and one for each asker. */
  gate: Gate;
}

const turnstile = (maxInside: number): Turnstile => ({
  door: new Gate({
    maxInside: MAX_AT_ONCE,
    maxInsidePerKey: MAX_AT_ONCE_PER_ASKER,
    maxWaiting: 0,
    patienceMs: 0,
  }),
  gate: new Gate({ maxInside, maxInsidePerKey: 1, maxWaiting: MAX_AT_ONCE, patienceMs: 5_000 }),
});

/** Known browsers have a queue of their own, however many strangers come. */
const strangers = turnstile(2);
const known = turnstile(1);

/** Whose turn it takes: that of a browser the person has used before, or else that of the address. */
interface Asker {
  ip: string;
  knownDevice?: string | undefined;
}

/** For work that no request has asked for. */
const SELF: Asker = { ip: "127.0.0.1" };

export function hashPassword(password: string, asker = SELF): Promise<string> {
  return inTurn(asker, () => hash(sameText(password), PARAMETERS));
}

/** Whether a password belongs to a hash; takes as long when there is none. */
export function isPassword(
  password: string,
  passwordHash: string | undefined,
  asker: Asker,
): Promise<boolean> {
  return inTurn(asker, async () => {
    const isRight = await verify(passwordHash ?? NOBODYS, sameText(password));
    return isRight && passwordHash !== undefined;
  });
}

/** The same text however a keyboard composes its accents. */
const sameText = (password: string): string => password.normalize("NFC");

function inTurn<T>({ ip, knownDevice }: Asker, work: () => Promise<T>): Promise<T> {
  const { door, gate } = knownDevice === undefined ? strangers : known;
  const key = knownDevice ?? addressKey(ip);
  return throughGate(door, key, () => throughGate(gate, key, work));
}

async function throughGate<T>(gate: Gate, key: string, work: () => Promise<T>): Promise<T> {
  const leave = await gate.enter(key, new AbortController().signal).catch(() => {
    throw new Failure("NO_ACTION_TAKEN", {
      message: "Too many people sign in at once; try again in a moment",
      retryAfterS: 2,
    });
  });
  try {
    return await work();
  } finally {
    leave();
  }
}
