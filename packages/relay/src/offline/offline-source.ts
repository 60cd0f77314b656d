import type { AnnouncedChange } from "../auto-config/announced-change.js";
import type { Change } from "../change.js";
import type { Clock } from "../clock.js";
import type { OwnKeys } from "../credentials.js";
import type { Logger } from "../logger.js";
import type { SourceErrorKind } from "../sources/source-error-kind.js";

/** What a reading of a file leads to. */
export interface OfflineChange extends Omit<AnnouncedChange, "isWhole"> {
  /** All flags of each environment whose flags are other ones now, or that is new. */
  readonly flags: ReadonlyMap<string, Change>;
}

/** Where readings are delivered. */
export interface OfflineSink {
  /** Takes a reading; one without environments and flags says that the file is as it was, and can be used. Rejects when flags cannot be used. */
  apply(change: OfflineChange): Promise<void>;
  /** The file cannot be used as it is now; it is looked at as before. */
  interrupted(kind: SourceErrorKind, message: string): void;
}

/** What a source of readings is told when it starts. */
export interface OfflineContext {
  readonly file: string;
  /** How often the file is looked at, in milliseconds. */
  readonly checkMs: number;
  /** What the file may take unpacked. */
  readonly maxBytes: number;
  /** The keys of a file of flags that names no environments. */
  readonly keys: OwnKeys | undefined;
  readonly sink: OfflineSink;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Starts something that says what a file has until it is closed. */
export type OfflineSourceFactory = (context: OfflineContext) => { close(): void };
