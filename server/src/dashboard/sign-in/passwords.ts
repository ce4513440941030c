import { hash, verify } from "@node-rs/argon2";
import { Failure } from "../../foundation/failure.ts";
import { Gate } from "../../foundation/gate.ts";

/** Argon2id as OWASP recommends it: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Of a password that nobody has, to take as long for an unknown address as for a known one. */
const NOBODYS =
  "$argon2id$v=19$m=19456,t=2,p=1$MN46x0yNpt+LiFc4r50lsA$WZb/s3jPtVqKZ2Cj63apXT4OeJwPCAe/TSGEdDOfrcw";

/** Each takes a core and 19 MiB for a moment, so that few are worked on at once. */
const gate = new Gate({ maxInside: 2, maxInsidePerKey: 2, maxWaiting: 200, patienceMs: 5_000 });

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(sameText(password), PARAMETERS));
}

/** Whether a password belongs to a hash; takes as long when there is none. */
export function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  return inTurn(async () => {
    const isRight = await verify(passwordHash ?? NOBODYS, sameText(password));
    return isRight && passwordHash !== undefined;
  });
}

/** However a keyboard composes its accents. */
const sameText = (password: string): string => password.normalize("NFC");

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const leave = await gate.enter("", new AbortController().signal).catch(() => {
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
