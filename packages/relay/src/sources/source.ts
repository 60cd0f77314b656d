import type { Change } from "../change.js";
import type { Clock } from "../clock.js";
import type { Logger } from "../logger.js";
import type { ResolvedUpstream } from "../options/resolved-sections.js";
import type { SourceErrorKind } from "./source-error-kind.js";

/** Where a source delivers what it finds. */
export interface SourceSink {
  /**
   * Takes a change; what resolves is served, whatever becomes of it in a store. Rejects with a `RelayError`
   * (`malformed_data`) when the change cannot be used; the source then tries again from the beginning.
   */
  apply(change: Change): Promise<void>;
  /** Flags do not arrive now; the source goes on trying. */
  interrupted(kind: SourceErrorKind, message: string): void;
  /** Upstream does not accept the key. The source has stopped; another is started with the same key after a while. */
  refused(kind: SourceErrorKind, message: string): void;
}

/** What a source is told when it starts. */
export interface SourceContext {
  /** What the log calls the environment: its name, and what people call it. */
  readonly label: string;
  readonly sdkKey: string;
  /** The key of the payload filter, if the environment is a filtered one. */
  readonly filter: string | undefined;
  readonly sink: SourceSink;
  readonly upstream: ResolvedUpstream;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Something that delivers flags until it is closed. */
export interface Source {
  /** Stops; nothing is delivered afterwards. */
  close(): void;
}

/** Starts a source. */
export type SourceFactory = (context: SourceContext) => Source;
