import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { rootCertificates } from "node:tls";
import { followRedirects } from "@wye/relay";
import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from "undici";
import { messageOf } from "../message-of.js";
import type { Config } from "./config/config.js";
import type { Variables } from "./config/settings-from-environment.js";
import { maskAddress } from "./config/show-config.js";

/** How upstream is reached. */
export interface Outbound {
  readonly dispatcher: Dispatcher;
  /** What is special about it, for the log. */
  readonly description?: string;
  close(): Promise<void>;
}

const connectTimeoutMs = 3000;

/** A proxy and further authorities, as configured. Throws when the file of an authority cannot be read. */
export async function createOutbound(config: Config, cwd: string, variables: Variables): Promise<Outbound> {
  const { url, caCertFiles = [] } = config.of("Proxy");
  const authorities: string[] = [];
  for (const file of caCertFiles) authorities.push(await readAuthority(resolve(cwd, file.trim())));
  const ca = authorities.length === 0 ? {} : { ca: [...rootCertificates, ...authorities] };
  const connect = { timeout: connectTimeoutMs, ...ca };
  const proxies = proxiesOf(variables);
  const { agent, description } =
    url !== undefined
      ? {
          agent: new ProxyAgent({ uri: url, requestTls: connect, proxyTls: connect }),
          description: `Using proxy server at ${maskAddress(url)}`,
        }
      : proxies !== undefined
        ? {
            agent: new EnvHttpProxyAgent({ ...proxies, connect, requestTls: connect, proxyTls: connect }),
            description: "Using the proxy server that HTTP_PROXY and HTTPS_PROXY name",
          }
        : { agent: new Agent({ connect }), description: undefined };
  return {
    dispatcher: followRedirects(agent),
    ...(description === undefined ? {} : { description }),
    close: () => agent.destroy(),
  };
}

async function readAuthority(file: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new Error(`cannot read the CA certificate file ${file}: ${messageOf(error)}`);
  }
  if (!text.includes("-----BEGIN CERTIFICATE-----"))
    throw new Error(`the CA certificate file ${file} has no certificate in it`);
  return text;
}

/** The proxies that every program is told of. */
function proxiesOf(variables: Variables) {
  const either = (name: string) => variables[name] || variables[name.toUpperCase()] || "";
  const [httpProxy, httpsProxy, noProxy] = ["http_proxy", "https_proxy", "no_proxy"].map(either);
  if (!httpProxy && !httpsProxy) return undefined;
  return {
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    noProxy: noProxy ?? "",
  };
}
