import { sendMessage, sendText } from "../http/answers.js";
import { untilConnected } from "../http/connected.js";
import type { Exchange } from "../http/exchange.js";
import { refuseIfGone } from "../http/refusals.js";
import type { EndpointName } from "../http/routes.js";
import { stackOf } from "../message-of.js";
import { evaluate } from "./evaluation.js";
import { receiveDiagnostic, receiveEventImage, receiveEvents } from "./events.js";
import { proxyGoals } from "./goals.js";
import { pollAll, pollFlags, pollItem } from "./polling.js";
import { openClientStream, openStream } from "./streams.js";

type Endpoint = (exchange: Exchange) => void | Promise<void>;

/** What is done for each endpoint that belongs to an environment. */
const endpoints: Readonly<Partial<Record<EndpointName, Endpoint>>> = {
  "all-stream": inTurn(withData((exchange) => openStream(exchange, "all"))),
  "flags-stream": inTurn(withData((exchange) => openStream(exchange, "flags"))),
  "ping-stream": inTurn(withData((exchange) => openStream(exchange, "ping"))),
  evaluate: started((exchange) => evaluate(exchange, "evalx")),
  "evaluate-values": started((exchange) => evaluate(exchange, "eval")),
  "client-stream": inTurn(started(openClientStream)),
  events: receiveEvents,
  diagnostic: receiveDiagnostic,
  "event-image": receiveEventImage,
  goals: proxyGoals,
  "latest-all": withData(pollAll),
  "php-flags": withData(pollFlags),
  "php-flag": withData((exchange) => pollItem(exchange, "flags")),
  "php-segment": withData((exchange) => pollItem(exchange, "segments")),
};

/** Answers a request of an environment. Whatever goes wrong in it, the process and other requests do not notice. */
export function answer(exchange: Exchange): void {
  const began = exchange.environment.relayOptions.clock.monotonic();
  exchange.inHand.begin();
  try {
    const done = endpoints[exchange.match.route.endpoint]?.(exchange);
    if (!(done instanceof Promise)) count(exchange, began);
    else
      void done.then(
        () => count(exchange, began),
        (error: unknown) => fail(exchange, error, began),
      );
  } catch (error) {
    fail(exchange, error, began);
  }
}

function count(exchange: Exchange, began: number): void {
  const { environment, res, match, inHand } = exchange;
  // A stream has no end that could be waited for.
  if (match.route.endpoint.endsWith("-stream")) inHand.end();
  else inHand.endWith(res);
  const status = res.headersSent ? res.statusCode : undefined;
  const ms = environment.relayOptions.clock.monotonic() - began;
  environment.meter.countRequest(match.route.endpoint, status, ms);
}

function fail(exchange: Exchange, error: unknown, began: number): void {
  reportFailure(exchange, error);
  count(exchange, began);
}

/** Says that an endpoint has failed. */
function reportFailure({ environment, res, match, headers }: Exchange, error: unknown): void {
  // Something in front of the relay did not want to wait: its answer stays as it is.
  if (res.writableEnded) return;
  environment.logger.error(`${match.route.endpoint}: ${stackOf(error)}`);
  try {
    if (res.headersSent) res.destroy();
    else sendMessage(res, 500, "internal error", headers);
  } catch {
    // What was put around the response throws whatever is sent.
    res.destroy();
  }
}

/** Leaves a request as it came until its response has the connection: what waits behind a stream waits for ever. */
function inTurn(endpoint: Endpoint): Endpoint {
  return (exchange) => {
    const turn = untilConnected(exchange.req, exchange.res);
    if (turn === undefined) return endpoint(exchange);
    // It may never come, and who closes does not wait for it.
    exchange.inHand.end();
    return turn.then(() => {
      exchange.inHand.begin();
      return refuseIfGone(exchange) ? undefined : endpoint(exchange);
    });
  };
}

/** Answers 503 while the environment may still get data in time. */
function started(endpoint: Endpoint): Endpoint {
  return (exchange) => {
    if (exchange.environment.phase !== "starting") return endpoint(exchange);
    sendText(exchange.res, 503, "client was not initialized", exchange.headers);
  };
}

/** Answers 503 until there was data once. */
function withData(endpoint: Endpoint): Endpoint {
  return started((exchange) => {
    if (exchange.environment.phase === "ready") return endpoint(exchange);
    sendMessage(exchange.res, 503, "Service not initialized", exchange.headers);
  });
}
