import type { Clock } from "../clock.js";
import type { Logger } from "../logger.js";
import type { ResolvedUpstream } from "../options/resolved-sections.js";
import type { Shortfall } from "../shortfall.js";
import type { SourceErrorKind } from "../sources/source-error-kind.js";
import type { AnnouncedOptions } from "./announced-options.js";

/** What an announcement leads to. */
export interface AnnouncedChange {
  /** The environments that are other ones now, are new, or are gone, each as it is to be served: keys of earlier announcements included. */
  readonly environments: ReadonlyMap<string, AnnouncedOptions | undefined>;
  /** All environments whose last announcement cannot be used. */
  readonly broken: ReadonlyMap<string, Shortfall>;
  /** What of it could not be used, and why. */
  readonly problems: readonly string[];
  /** Whether it is known which environments there are: a full set has come, now or before. */
  readonly isWhole: boolean;
}

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
