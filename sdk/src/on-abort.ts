type Follow = (signal: AbortSignal) => void;

interface Followers {
  all: Set<Follow>;
  /** The one listener of their signal, while there are any. */
  tell: () => void;
}

const followersOf = new WeakMap<AbortSignal, Followers>();

/**
 * Calls back when the signal ends things, at once if it has; gives what stops it. A program may have one signal for
 * all its calls, and Node takes more than ten listeners for a leak and says so: hence one for each signal. It goes with
 * the last follower, since Node keeps signals that are made of others for as long as somebody listens.
 */
export function onAbort(signal: AbortSignal | undefined, follow: Follow): () => void {
  if (signal?.aborted) follow(signal);
  if (signal === undefined || signal.aborted) return () => undefined;
  const { all, tell } = followersOf.get(signal) ?? noFollowers(signal);
  all.add(follow);
  signal.addEventListener("abort", tell);
  return () => {
    all.delete(follow);
    if (all.size === 0) signal.removeEventListener("abort", tell);
  };
}

function noFollowers(signal: AbortSignal): Followers {
  const all = new Set<Follow>();
  const tell = (): void => {
    for (const follow of all) follow(signal);
  };
  followersOf.set(signal, { all, tell });
  return { all, tell };
}
