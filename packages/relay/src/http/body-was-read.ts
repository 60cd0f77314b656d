import { type Exchange, sendMessage } from "./exchange.js";

/** Says to the client, and to the host, that something in front of the relay has taken the body of a request. */
export function bodyWasRead({ res, environment, match, headers }: Exchange): void {
  environment.logger.error(
    `${match.route.endpoint}: the body was read before the request came to the relay, and nothing is in req.body; mount the relay before what reads it`,
  );
  sendMessage(res, 500, "the request body was read before it came to the relay", headers);
}
