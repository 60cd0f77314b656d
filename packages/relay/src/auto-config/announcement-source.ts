import type { Clock } from "../clock.js";
import type { Logger } from "../logger.js";
import type { ResolvedUpstream } from "../options/resolved-sections.js";
import type { SourceErrorKind } from "../sources/source-error-kind.js";
import type { AnnouncedChange } from "./announced-change.js";

/** Where announcements are delivered. */
export interface AnnouncementSink {
  apply(change: AnnouncedChange): void;
  /** Announcements do not arrive now; the source goes on trying. */
  interrupted(kind: SourceErrorKind, message: string): void;
  /** Upstream does not accept the key. The source goes on trying, ever more slowly. */
  refused(message: string): void;
}

/** What a source of announcements is told when it starts. */
export interface AnnouncementContext {
  readonly key: string;
  readonly sink: AnnouncementSink;
  readonly upstream: ResolvedUpstream;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Starts something that says which environments there are until it is closed. */
export type AnnouncementSourceFactory = (context: AnnouncementContext) => { close(): void };
