import type { UpstreamOptions } from "@wye/relay";
import { MockAgent } from "undici";

/**
 * An upstream service that is nowhere: it takes every event and has no goals, inside this process. Requests to any other
 * address fail before a connection is made, so nothing can leave.
 */
export function createClosedUpstream(): UpstreamOptions {
  const address = "http://upstream.invalid";
  const dispatcher = new MockAgent();
  dispatcher.disableNetConnect();
  const upstream = dispatcher.get(address);
  const everywhere = (): boolean => true;
  upstream.intercept({ path: everywhere, method: "POST" }).reply(202).persist();
  upstream
    .intercept({ path: everywhere, method: "GET" })
    .reply(200, "[]", { headers: { "content-type": "application/json", "cache-control": "max-age=3600" } })
    .persist();
  return { stream: address, app: address, events: address, dispatcher };
}
