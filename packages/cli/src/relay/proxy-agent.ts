import { ProxyAgent } from "undici";

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
  });
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
