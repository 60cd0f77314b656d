import type { CredentialKind } from "../credentials.js";
import type { Logger } from "../logger.js";
import { closing, type Headers, noHeaders, sendMessage, sendText } from "./answers.js";
import type { RelayResponse } from "./relay-response.js";
import type { RouteMatch } from "./routes.js";

const messages = {
  unknownCredential:
    "Relay Proxy does not recognize the client credential (missing or invalid Authorization header)",
  unknownEnvironment: "URL did not contain an environment ID",
  closed: "the relay is closed",
  renewed: "the environment or the payload filter was set up anew; try again",
  unknownFilter: "Relay Proxy recognizes the provided credential, but the payload filter was not found",
};

/** What of a request is looked at before it is refused. */
export interface Judged {
  readonly res: RelayResponse;
  readonly match: RouteMatch;
  readonly credential: CredentialKind;
  readonly digest: string;
  readonly headers: Headers;
  readonly environment: {
    readonly logger: Logger;
    readonly closed: boolean;
    accepts(digest: string): boolean;
  };
  /** All credentials, as they are now. */
  readonly credentials: {
    readonly closed: boolean;
    /** Whether a credential, as its digest, leads anywhere. */
    knows(digest: string): boolean;
  };
}

/** Answers a request whose credential leads nowhere. */
export function refuseCredential(res: RelayResponse, credential: CredentialKind, headers?: Headers): void {
  if (credential === "envId") sendText(res, 404, messages.unknownEnvironment, headers);
  else sendText(res, 401, messages.unknownCredential, headers);
}

/** Answers a request that a relay which is closing does not take. */
export function refuseClosed(res: RelayResponse, headers: Headers = noHeaders): void {
  sendText(res, 503, messages.closed, closing(res, headers));
}

/** Answers a request for a payload filter that is not there. */
export function refuseFilter(res: RelayResponse, headers?: Headers): void {
  sendText(res, 404, messages.unknownFilter, headers);
}

/**
 * Looks once more whether a request may be served: while its body was on its way its key may have been revoked, its environment removed or
 * replaced by another one, its filter taken away, or the relay closed. If so, the request has been answered.
 */
export function refuseIfGone({
  res,
  environment,
  credentials,
  digest,
  credential,
  headers,
}: Judged): boolean {
  if (environment.accepts(digest)) {
    if (!environment.closed) return false;
    if (credentials.closed) refuseClosed(res, headers);
    // Its filter has gone, and may be there again.
    else sendText(res, 503, messages.renewed, headers);
  } else if (credentials.knows(digest)) {
    // SDKs stop for good when a key is unknown.
    sendText(res, 503, messages.renewed, headers);
  } else {
    refuseCredential(res, credential, headers);
  }
  return true;
}

/** Answers a request whose body was given up in favour of newer ones. */
export function refuseCrowded({ res, headers }: Judged): void {
  sendMessage(res, 503, "too many request bodies are on their way", closing(res, headers));
}

/** Says to the client, and to the host, that something in front of the relay has taken the body of a request. */
export function bodyWasRead({ res, environment, match, headers }: Judged): void {
  environment.logger.error(
    `${match.route.endpoint}: the body was read before the request came to the relay, and nothing is in req.body; mount the relay before what reads it`,
  );
  sendMessage(res, 500, "the request body was read before it came to the relay", headers);
}
