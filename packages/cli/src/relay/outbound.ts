import { resolve } from "node:path";
import { rootCertificates } from "node:tls";
import { UpstreamConnections, type UpstreamDispatcher } from "@wye/relay";
import { messageOf } from "../message-of.js";
import type { Config } from "./config/config.js";
import type { Variables } from "./config/settings-from-environment.js";
import { maskAddress } from "./config/show-config.js";
import { readConfiguredText } from "./read-configured.js";

/** How upstream is reached. */
export interface Outbound {
  readonly dispatcher: UpstreamDispatcher;
  /** What is special about it, for the log. */
  readonly description?: string;
  close(): Promise<void>;
}

const connectTimeoutMs = 3000;
const schemes = ["http", "https"] as const;

/** The files of further authorities. */
export function authorityFiles(config: Config, cwd: string): readonly string[] {
  return (config.of("Proxy").caCertFiles ?? []).map((file) => resolve(cwd, file.trim()));
}

/** A proxy as configured, with further authorities. Throws when its address is none. */
export async function createOutbound(
  config: Config,
  variables: Variables,
  authorities: readonly string[] = [],
): Promise<Outbound> {
  const { url } = config.of("Proxy");
  const named = schemes.flatMap((scheme) => {
    const name = [`${scheme}_proxy`.toUpperCase(), `${scheme}_proxy`].find((one) => variables[one]);
    return name === undefined ? [] : [{ name, scheme, address: variables[name] ?? "" }];
  });
  if (url === undefined && named.length === 0 && authorities.length === 0) return directly();
  // Most relays need none of it, and it takes longer to load than all else.
  const { throughProxies, throughProxy } = await import("./proxies.js");
  const ca = authorities.length === 0 ? {} : { ca: [...rootCertificates, ...authorities] };
  const connect = { timeout: connectTimeoutMs, ...ca };
  if (url !== undefined)
    return {
      ...throughProxy("[Proxy] url", url, connect),
      description: `Using proxy server at ${maskAddress(url)}`,
    };
  const outbound = throughProxies(named, variables.NO_PROXY || variables.no_proxy || "", connect);
  if (named.length === 0) return outbound;
  const uses = named.map(({ name, scheme }) => `that of ${name} for ${scheme}://`).join(", ");
  return { ...outbound, description: `Using proxy servers: ${uses}` };
}

function directly(): Outbound {
  const dispatcher = new UpstreamConnections(connectTimeoutMs);
  return { dispatcher, close: async () => dispatcher.close() };
}

/** The certificates in a file. Throws, naming it, when there are none. */
export async function readAuthority(file: string): Promise<string> {
  let text: string;
  try {
    text = await readConfiguredText(file);
  } catch (error) {
    throw new Error(`cannot read the CA certificate file ${file}: ${messageOf(error)}`);
  }
  if (!text.includes("-----BEGIN CERTIFICATE-----"))
    throw new Error(`the CA certificate file ${file} has no certificate in it`);
  return text;
}
