import { type Dispatcher, errors, Pool, ProxyAgent } from "undici";

/** How connections are made, to a proxy and through it. */
export interface Connect {
  readonly timeout: number;
  readonly ca?: string[];
}

/** A proxy at an address, of which `place` says where it stands. Throws when it is none; never with what may be a password. */
export function proxyAgent(place: string, address: string, connect: Connect): ProxyAgent {
  const url = proxyAddress(place, address.trim());
  const token = basicToken(place, url);
  return new ProxyAgent({
    uri: url.href,
    ...(token === undefined ? {} : { token }),
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (origin, options) => new TunnelPool(origin, options, connect.timeout),
  });
}

/** Connections to a proxy. To open a tunnel is a part of connecting, and has the time for that. */
class TunnelPool extends Pool {
  readonly #limitMs: number;

  constructor(origin: URL, options: Pool.Options, limitMs: number) {
    super(origin, { ...options, headersTimeout: limitMs });
    this.#limitMs = limitMs;
  }

  override async connect(asked: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    try {
      return await super.connect(asked);
    } catch (error) {
      if (!(error instanceof errors.HeadersTimeoutError)) throw error;
      throw new Error(`the proxy has opened no tunnel within ${this.#limitMs} ms`, { cause: error });
    }
  }
}

/** What every program takes: `host:port` is `http://host:port`. */
function proxyAddress(place: string, text: string): URL {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.hostname === "")
    throw new Error(`${place} is not the address of a proxy, such as http://proxy.example:3128`);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new Error(`${place}: proxies are spoken to as http:// or https://, not ${url.protocol}//`);
  return url;
}

function basicToken(place: string, { username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  try {
    const credentials = [username, password].map((one) => decodeURIComponent(one)).join(":");
    return `Basic ${Buffer.from(credentials).toString("base64")}`;
  } catch {
    throw new Error(`${place}: a percent sign in its user or password is to be written as %25`);
  }
}
