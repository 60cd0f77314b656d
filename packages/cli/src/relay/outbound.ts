import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { rootCertificates } from "node:tls";
import { followRedirects } from "@wye/relay";
import { Agent, type Dispatcher } from "undici";
import { messageOf } from "../message-of.js";
import type { Config } from "./config/config.js";
import type { Variables } from "./config/settings-from-environment.js";
import { maskAddress } from "./config/show-config.js";
import { directly } from "./no-proxy.js";
import { type Connect, proxyAgent } from "./proxy-agent.js";

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
  const { agents, dispatcher, description } =
    url === undefined
      ? asVariablesSay(variables, connect)
      : {
          ...only(proxyAgent("[Proxy] url", url, connect)),
          description: `Using proxy server at ${maskAddress(url)}`,
        };
  return {
    dispatcher: followRedirects(dispatcher),
    ...(description === undefined ? {} : { description }),
    async close() {
      await Promise.all(agents.map((agent) => agent.destroy()));
    },
  };
}

/** What asks upstream. */
interface Ways {
  readonly dispatcher: Dispatcher;
  /** All that is to be closed. */
  readonly agents: readonly Dispatcher[];
  readonly description?: string;
}

function only(agent: Dispatcher): Ways {
  return { dispatcher: agent, agents: [agent] };
}

/** `HTTP_PROXY` is for `http://` addresses, `HTTPS_PROXY` for `https://` ones, as for every program. */
function asVariablesSay(variables: Variables, connect: Connect): Ways {
  const direct = new Agent({ connect });
  const found = ["http", "https"].flatMap((scheme) => {
    const name = [`${scheme}_proxy`.toUpperCase(), `${scheme}_proxy`].find((one) => variables[one]);
    if (name === undefined) return [];
    return [{ name, scheme, agent: proxyAgent(name, variables[name] ?? "", connect) }];
  });
  if (found.length === 0) return only(direct);
  const isDirect = directly(variables.NO_PROXY || variables.no_proxy || "");
  const agents = new Map(found.map(({ scheme, agent }) => [`${scheme}:`, agent]));
  const wayTo = (url: URL) => (isDirect(url) ? direct : (agents.get(url.protocol) ?? direct));
  return {
    dispatcher: direct.compose(
      () => (options, handler) => wayTo(new URL(options.origin ?? "")).dispatch(options, handler),
    ),
    agents: [direct, ...agents.values()],
    description: `Using proxy servers: ${found.map(({ name, scheme }) => `that of ${name} for ${scheme}://`).join(", ")}`,
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
