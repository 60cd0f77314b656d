/** What a URL of Redis says. */
export interface RedisServerAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly database?: number;
}

/** Reads `redis://` and `rediss://` URLs; `undefined` for anything else, queries and fragments included. */
export function serverFromUrl(url: string): RedisServerAddress | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^rediss?:\/\/[^/]/.test(url) || parsed.search !== "" || parsed.hash !== "")
    return undefined;
  const [username, password] = [decoded(parsed.username), decoded(parsed.password)];
  const database = /^\/?(\d{0,5})$/.exec(parsed.pathname)?.[1];
  if (username === undefined || password === undefined || database === undefined || parsed.port === "0")
    return undefined;
  return {
    host: parsed.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(parsed.port || 6379),
    tls: parsed.protocol === "rediss:",
    ...(username === "" ? {} : { username }),
    ...(password === "" ? {} : { password }),
    ...(database === "" ? {} : { database: Number(database) }),
  };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
