import { prepareView } from "../big-segments/view-memberships.js";
import { sendMessage } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import { refuseIfGone } from "../http/refusals.js";
import { hasGone } from "../http/relay-response.js";
import type { Channel } from "../streaming/channel.js";
import type { ClientView } from "../streaming/client-view.js";
import { StreamOutput } from "../streaming/stream-output.js";
import { Subscriber } from "../streaming/subscriber.js";
import { type GivenContext, isStillVouchedFor, readContext } from "./read-context.js";

const streamHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-store, must-revalidate",
  // Keeps nginx from collecting events.
  "X-Accel-Buffering": "no",
};

/** The longest name of a host is shorter: what is cut is allowed nowhere, and does not fill the memory. */
const longestOrigin = 300;

/** Opens an event stream and sends what it starts with; changes follow as they come. Who has gone away would never leave. */
export function openStream(exchange: Exchange, channel: Channel): void {
  if (!hasGone(exchange.res)) join(exchange, channel);
}

function join(exchange: Exchange, channel: Channel, view?: ClientView, voucher?: string): void {
  const { req, res, environment, credential, digest, headers } = exchange;
  const { maxConnectionMs } = environment.relayOptions.streams;
  const audience = credential === "mobileKey" ? "mobile" : "browser";
  const origin = req.headers.origin?.slice(0, longestOrigin);
  const recipient = { channel, audience, view, origin, voucher } as const;
  const subscriber = new Subscriber(recipient, digest, new StreamOutput(res));
  environment.streams.join(subscriber, { ...headers, ...streamHeaders });
  const cancelEnd = endAfter(environment, subscriber, maxConnectionMs);
  environment.meter.streamOpened(channel);
  res.on("close", () => {
    cancelEnd?.();
    environment.streams.leave(subscriber);
    environment.meter.streamClosed(channel);
  });
}

/** How often memberships are asked for because others have come meanwhile. */
const maxTurns = 3;

/** Opens the stream of a client-side SDK: the evaluated flags of its context, or pings where the host prefers them. */
export async function openClientStream(exchange: Exchange): Promise<void> {
  const given = await readContext(exchange);
  if (given === undefined || refuseIfGone(exchange)) return;
  const { environment, credential, query, res, headers } = exchange;
  const audience = credential === "mobileKey" ? "mobile" : "browser";
  const view: ClientView = {
    context: given.context,
    audience,
    withReasons: query.get("withReasons") === "true",
  };
  if (environment.phase !== "ready") {
    sendMessage(res, 503, "Service not initialized", headers);
  } else if (refuseIfLeftOut(exchange, given)) {
    return;
  } else if (environment.settings.clientStream === "ping") {
    openStream(exchange, "ping");
  } else {
    const { bigSegments, flags } = environment;
    // The flags may change while something is asked, and with them what has to be known; and so may the memberships, but where
    // that goes on and on the stream is opened and told afterwards.
    let turns = 0;
    for (let wait = prepareView(bigSegments, flags, view); wait !== undefined; ) {
      await wait;
      if (refuseIfGone(exchange) || refuseIfLeftOut(exchange, given)) return;
      if (++turns < maxTurns && view.revision !== bigSegments?.revision) {
        view.bigSegments = undefined;
        view.revision = undefined;
      }
      wait = prepareView(bigSegments, flags, view);
    }
    if (!hasGone(res)) openKept(exchange, view, given);
  }
}

/** Refuses a page whose stream would have been ended if it had been open already. If so, the request has been answered. */
function refuseIfLeftOut(exchange: Exchange, given: GivenContext): boolean {
  const { req, res, headers } = exchange;
  if (isLeftOut(req.headers.origin, exchange)) {
    sendMessage(res, 503, "the origin is not allowed any more", headers);
  } else if (!isStillVouchedFor(exchange, given)) {
    sendMessage(res, 503, "what is asked of pages has changed; try again", headers);
  } else return false;
  return true;
}

/** Whether a page that may read the answer, by its headers, would not be told so now. */
function isLeftOut(origin: string | undefined, { headers, environment }: Exchange): boolean {
  if (origin === undefined || headers["Access-Control-Allow-Origin"] !== origin) return false;
  return !environment.allowsOrigin(origin);
}

/** Opens a stream that keeps a context for as long as it is open. */
function openKept(exchange: Exchange, view: ClientView, { bytes, voucher }: GivenContext): void {
  const { res, contexts, headers } = exchange;
  const release = contexts.take(bytes);
  if (release === undefined) {
    sendMessage(res, 503, "too many large contexts are kept by open streams", headers);
    return;
  }
  res.once("close", release);
  join(exchange, "client", view, voucher);
}

/** Ends a stream after its time, less up to a tenth, so that streams opened together do not end together. */
function endAfter(
  environment: Exchange["environment"],
  subscriber: Subscriber,
  maxMs: number,
): (() => void) | undefined {
  if (maxMs === 0) return undefined;
  const { random } = environment.relayOptions;
  return environment.later(maxMs * (1 - random() / 10), () => environment.streams.end(subscriber));
}
