import { sendBody, sendJson } from "../http/answers.js";
import type { RelayResponse } from "../http/relay-response.js";
import type { EndpointName } from "../http/routes.js";

/** What those who run a relay may ask it. */
export interface OperationsContext {
  readonly environments: {
    /** Whether there is data for as many as the host wants to have. */
    isReady(): boolean;
  };
  /** The status document as text. */
  readonly statusText: () => string;
  /** The metrics as text. */
  readonly printMetrics: () => string;
  /** Whether the relay still takes requests. */
  readonly open: () => boolean;
}

/** Answers what belongs to the relay as a whole. */
export function answerOperator(endpoint: EndpointName, res: RelayResponse, context: OperationsContext): void {
  if (endpoint === "status") {
    sendJson(res, 200, context.statusText());
  } else if (endpoint === "metrics") {
    sendBody(res, 200, "text/plain; version=0.0.4; charset=utf-8", context.printMetrics());
  } else if (endpoint === "live") {
    sendJson(res, 200, '{"live":true}');
  } else {
    const ready = context.open() && context.environments.isReady();
    sendJson(res, ready ? 200 : 503, JSON.stringify({ ready }));
  }
}
