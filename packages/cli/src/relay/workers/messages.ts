import type { AnnouncedChange, OfflineContext, ResolvedUpstream, SourceErrorKind } from "@wye/relay";
import type { Certificate } from "../certificates.js";
import type { FileText } from "../config/load-config.js";
import type { Credentials } from "../credentials.js";
import type { SentChange } from "./sent-change.js";

// What workers and the process that has started them tell each other.

/** What of upstream can be told: how it is connected to is known on the other side. */
export type SentUpstream = Omit<ResolvedUpstream, "dispatcher">;

/** Which flags a worker wants to have. */
export interface FeedRequest {
  /** What its log calls the environment. */
  readonly label: string;
  readonly sdkKey: string;
  readonly filter: string | undefined;
  readonly upstream: SentUpstream;
}

/** Whose automatic configuration a worker wants to hear. */
export interface AnnouncementRequest {
  readonly key: string;
  readonly upstream: SentUpstream;
}

/** Which file says what environments a worker is to serve. */
export type ContentsRequest = Omit<OfflineContext, "sink" | "logger" | "clock">;

/** What was announced, on its way to a worker. */
export interface SentAnnouncement extends Omit<AnnouncedChange, "broken"> {
  /** Where the flags do not come from upstream, those of environments whose flags are other ones now. */
  readonly flags: ReadonlyMap<string, SentChange>;
  readonly broken: readonly (readonly [name: string, wanted: object, problem: string])[];
}

/** Why announcements do not arrive; without `kind` upstream does not accept the key. */
export interface SentTrouble extends Omit<Trouble, "kind"> {
  readonly kind: SourceErrorKind | undefined;
}

/** What a worker says. A source is known by a number of that worker's. */
export type FromWorker =
  | { readonly type: "open"; readonly source: number; readonly request: FeedRequest }
  | { readonly type: "close"; readonly source: number }
  /** A change is served, or cannot be. */
  | { readonly type: "taken"; readonly source: number; readonly problem?: string }
  | { readonly type: "hear"; readonly request: AnnouncementRequest | ContentsRequest }
  /** It has taken what it was told of announcements. */
  | { readonly type: "heard" }
  /** It wants to have the configuration file. */
  | { readonly type: "configure" }
  /** It wants to have what the others prove with who they are. */
  | { readonly type: "identify" }
  | { readonly type: "serving"; readonly port: number }
  | { readonly type: "answer"; readonly question: number; readonly answer: Answer };

/** What a worker is told. */
export type ToWorker =
  | { readonly type: "change"; readonly source: number; readonly change: SentChange }
  | { readonly type: "interrupted" | "refused"; readonly source: number; readonly trouble: Trouble }
  /** What was announced, and what has happened since. */
  | {
      readonly type: "announced";
      readonly change: SentAnnouncement | undefined;
      readonly trouble: SentTrouble | undefined;
    }
  /** Operators ask something of the relay. */
  | { readonly type: "ask"; readonly question: number; readonly request: OperatorRequest }
  | { readonly type: "configuration"; readonly text: FileText }
  | { readonly type: "credentials"; readonly credentials: Credentials }
  /** There is another one. */
  | { readonly type: "certificate"; readonly certificate: Certificate }
  | { readonly type: "reload" | "end" };

/** What an operator asks. */
export interface OperatorRequest {
  readonly method: string;
  readonly path: string;
}

/** Why flags do not arrive. */
export interface Trouble {
  readonly kind: SourceErrorKind;
  readonly message: string;
}

/** What a relay has answered. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One end of the line between the two. What is sent when the other end is gone is lost. */
export interface Channel<Sent, Received> {
  send(message: Sent): void;
  /** Calls `take` for each message until the returned function is called. */
  listen(take: (message: Received) => void): () => void;
}
