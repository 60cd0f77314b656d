import type { IncomingHttpHeaders } from "node:http";
import type { Members } from "../big-segments/members.js";
import type { Clock } from "../clock.js";
import type { CredentialKind, EnvironmentKeys } from "../credentials.js";
import type { EnvironmentMeter } from "../environment-meter.js";
import type { EventArray } from "../events/event-array.js";
import type { FlagSet } from "../flag-set.js";
import type { GoalsAnswer, PageHeaders } from "../goals-answer.js";
import type { Logger } from "../logger.js";
import type { ResolvedStreams } from "../options/resolved-sections.js";
import type { Phase } from "../readiness.js";
import type { SdkFamily } from "../sdk-family.js";
import type { Subscriber } from "../streaming/subscriber.js";
import type { Headers } from "./answers.js";
import type { Downloads } from "./downloads.js";
import type { InHand } from "./in-hand.js";
import type { KeptAnswers } from "./kept-answers.js";
import type { LargeContexts } from "./large-contexts.js";
import type { RelayRequest, RelayResponse } from "./relay-response.js";
import type { RouteMatch } from "./routes.js";
import type { Uploads } from "./uploads.js";

/** Where events of SDKs go. */
export interface EventsDoor {
  readonly maxBodyBytes: number;
  /** Looks at the body of an event post, in turns when it is large. */
  look(body: Buffer): EventArray | Promise<EventArray>;
  /** Takes the body of an event post that was looked at, unless it nests too deep. */
  accept(
    family: SdkFamily,
    body: Buffer,
    found: EventArray,
    headers: IncomingHttpHeaders,
  ): "taken" | "too-deep";
  /** Takes the body of a diagnostic post. */
  forwardDiagnostic(family: SdkFamily, body: Buffer, headers: IncomingHttpHeaders): void;
}

/** Where streams come and go. */
export interface StreamsDoor {
  join(subscriber: Subscriber, headers: Readonly<Record<string, string | number>>): void;
  leave(subscriber: Subscriber): void;
  end(subscriber: Subscriber): void;
}

/** What of an environment requests are answered from. */
export interface ServedEnvironment {
  readonly logger: Logger;
  readonly meter: EnvironmentMeter;
  readonly phase: Phase;
  readonly closed: boolean;
  readonly keys: EnvironmentKeys;
  readonly flags: FlagSet;
  readonly streams: StreamsDoor;
  /** Absent when events are not forwarded. */
  readonly events: EventsDoor | undefined;
  readonly goals: {
    get(search: string, page: PageHeaders): Promise<GoalsAnswer | undefined>;
  };
  /** Absent without a store for them. */
  readonly bigSegments: Members | undefined;
  /** What the host has set for this environment. */
  readonly settings: {
    readonly allowedOrigins: readonly string[];
    readonly allowedHeaders: readonly string[];
    readonly secureMode: boolean;
    readonly ttlMs: number;
    readonly clientStream: "evaluated" | "ping";
  };
  /** What the host has set for the relay as a whole. */
  readonly relayOptions: {
    readonly clock: Clock;
    readonly random: () => number;
    readonly maxContextBytes: number;
    readonly streams: Pick<ResolvedStreams, "maxConnectionMs">;
  };
  /** Whether a credential, as its digest, still leads here: it may have gone while a request was on its way. */
  accepts(digest: string): boolean;
  /** Whether a page of an origin may read answers. */
  allowsOrigin(origin: string): boolean;
  /** Calls `run` after a time unless the environment is closed before. */
  later(ms: number, run: () => void): () => void;
}

/** A request that has found its endpoint and its environment. */
export interface Exchange {
  readonly req: RelayRequest;
  readonly res: RelayResponse;
  readonly match: RouteMatch;
  readonly query: URLSearchParams;
  readonly environment: ServedEnvironment;
  /** The kind of credential that led here. */
  readonly credential: CredentialKind;
  /** The credential itself, as its digest. */
  readonly digest: string;
  /** What every answer to this request carries: CORS headers for browsers. */
  readonly headers: Headers;
  /** All credentials, as they are now. */
  readonly credentials: { readonly closed: boolean; knows(digest: string): boolean };
  /** The bodies that are on their way to the relay. */
  readonly uploads: Uploads;
  /** The bodies that are on their way from it. */
  readonly downloads: Downloads;
  /** The requests that are being answered. */
  readonly inHand: InHand;
  /** The contexts that open streams keep. */
  readonly contexts: LargeContexts;
  /** What contexts that ask again and again are answered. */
  readonly answers: KeptAnswers;
}
