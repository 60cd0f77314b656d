import { Agent, type Dispatcher } from "undici";
import { directly } from "./no-proxy.js";
import type { Outbound } from "./outbound.js";
import { type Connect, proxyAgent } from "./proxy-agent.js";

/** A variable that names the proxy of a scheme. */
export interface NamedProxy {
  readonly name: string;
  readonly scheme: string;
  readonly address: string;
}

/** Everything through one proxy, at an address of which `place` says where it stands. */
export function throughProxy(place: string, address: string, connect: Connect): Outbound {
  const agent = proxyAgent(place, address, connect);
  return { dispatcher: agent, close: () => agent.destroy() };
}

/** `HTTP_PROXY` is for `http://` addresses, `HTTPS_PROXY` for `https://` ones, as for every program. */
export function throughProxies(
  proxies: readonly NamedProxy[],
  exceptions: string,
  connect: Connect,
): Outbound {
  const agents = new Map<string, Dispatcher>(
    proxies.map(({ name, scheme, address }) => [`${scheme}:`, proxyAgent(name, address, connect)]),
  );
  const direct = new Agent({ connect });
  const isDirect = directly(exceptions);
  const wayTo = (url: URL) => (isDirect(url) ? direct : (agents.get(url.protocol) ?? direct));
  return {
    dispatcher: direct.compose(
      () => (options, handler) => wayTo(new URL(options.origin ?? "")).dispatch(options, handler),
    ),
    async close() {
      await Promise.all([direct, ...agents.values()].map((agent) => agent.destroy()));
    },
  };
}
