import { isIP } from "node:net";

/** One configuration key: where it is read from, what it means, and how its text becomes a value. */
export interface Key<T> {
  env: string;
  doc: string;
  /** What the documentation shows as the default. */
  shown: string;
  secret: boolean;
  /** What it may be, where a reader could not guess. */
  bounds?: string;
  fallback: T;
  /** Throws with what is wrong; the caller adds the key's name. */
  parse(text: string): T;
}

interface Description<T> {
  doc: string;
  fallback: T;
  shown?: string;
}

export function text<T extends string | undefined>(
  env: string,
  d: Description<T>,
): Key<T | string> {
  return key<T | string>(env, d, (value) => value);
}

export function secret<T extends string | undefined>(
  env: string,
  d: Description<T>,
): Key<T | string> {
  return { ...text(env, d), secret: true };
}

export function integer(
  env: string,
  min: number,
  max: number,
  d: Description<number>,
): Key<number> {
  const parse = (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return number;
  };
  return { ...key(env, d, parse), bounds: `${min} to ${max}` };
}

export function choice<const T extends string>(
  env: string,
  values: readonly T[],
  d: Description<NoInfer<T>>,
): Key<T> {
  return key<T>(env, d, (value) => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`must be one of ${values.join(", ")}`);
    return found;
  });
}

/** Some of several names, separated by commas. */
export function some<const T extends string>(
  env: string,
  values: readonly T[],
  d: Description<readonly NoInfer<T>[]>,
): Key<readonly T[]> {
  return key<readonly T[]>(env, d, (value) => {
    const names = value.split(",").map((name) => name.trim());
    const bad = names.find((name) => !values.some((candidate) => candidate === name));
    if (bad !== undefined) throw new Error(`must be some of ${values.join(", ")}`);
    return values.filter((candidate) => names.includes(candidate));
  });
}

export function flag<T extends boolean | undefined>(
  env: string,
  d: Description<T>,
): Key<T | boolean> {
  return key<T | boolean>(env, { shown: d.fallback ? "1" : "0", ...d }, (value) => {
    if (value === "1" || value === "true") return true;
    if (value === "0" || value === "false") return false;
    throw new Error("must be 1 or 0");
  });
}

/** Where a PostgreSQL is, with its password. */
export function postgresUrl(env: string, d: Description<undefined>): Key<string | undefined> {
  const parse = (value: string): string => {
    if (choosesHosts(value)) {
      throw new Error(
        "must name one host, which follows the primary: neither several nor target_session_attrs",
      );
    }
    if (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value)) return value;
    throw new Error("must be an address such as postgres://user:password@host:5432/database");
  };
  return { ...key<string | undefined>(env, d, parse), secret: true };
}

/** Other programs take several hosts and choose among them; ours would look up a host with a comma in its name. */
function choosesHosts(url: string): boolean {
  const [, hosts = "", query] = /^\w+:\/\/(?:[^/?#]*@)?([^/?#]*)[^?]*\??(.*)/.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  return (
    [hosts, ...parameters.getAll("host")].some((host) => host.includes(",")) ||
    parameters.has("target_session_attrs")
  );
}

/** Where mail is handed over, with its password. */
export function smtpUrl(env: string, d: Description<undefined>): Key<string | undefined> {
  const parse = (value: string): string => {
    if (/^smtps?:\/\//.test(value) && URL.canParse(value)) return value;
    throw new Error("must be an address such as smtps://user:password@host:465");
  };
  return { ...key<string | undefined>(env, d, parse), secret: true };
}

/** Who a letter is from: one address, perhaps with a name before it. */
export function mailbox(env: string, d: Description<string>): Key<string> {
  return key(env, d, (value) => {
    if (/^([^<>]*<[^\s<>,@]+@[^\s<>,@]+>|[^\s<>,@]+@[^\s<>,@]+)$/.test(value)) return value;
    throw new Error("must be an address such as Cards <cards@example.com>");
  });
}

/** Addresses and networks, separated by commas. */
export function networks(env: string, d: Description<undefined>): Key<string | undefined> {
  return key<string | undefined>(env, d, (value) => {
    const bad = value.split(",").find((part) => !isNetwork(part.trim()));
    if (bad !== undefined) throw new Error("must be addresses or networks, such as 10.0.0.0/8");
    return value;
  });
}

/** Whether a text is an address, or a network as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

/** An origin without a trailing slash: request targets are appended to it as they are. */
export function origin(env: string, d: Description<undefined>): Key<string | undefined> {
  return key<string | undefined>(env, d, (value) => {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      throw new Error("must be an http or https address");
    }
    if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
      throw new Error("must be an address without query, fragment or user");
    }
    return value.replace(/[/?#]+$/, "");
  });
}

/** An origin that nothing else shares, for what cannot be below a path. */
export function ownOrigin(env: string, d: Description<undefined>): Key<string | undefined> {
  const shared = origin(env, d);
  return key<string | undefined>(env, d, (value) => {
    shared.parse(value);
    const { origin: own, pathname } = new URL(value);
    if (pathname !== "/") throw new Error("must be an address without a path");
    return own;
  });
}

function key<T>(env: string, d: Description<T>, parse: (text: string) => T): Key<T> {
  const shown = d.shown ?? (d.fallback === undefined ? "" : String(d.fallback));
  return { env, doc: d.doc, fallback: d.fallback, shown, secret: false, parse };
}
