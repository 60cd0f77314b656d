import type { Clock } from "../clock.js";
import type { Lanes } from "../lanes.js";
import type { Logger } from "../logger.js";
import type { CounterName } from "../metrics.js";
import type { ResolvedUpstream } from "../options/resolved-sections.js";

/** What the sending of events needs of the environment whose events they are. */
export interface PublisherPort {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly upstream: Pick<ResolvedUpstream, "events" | "dispatcher" | "requestTimeoutMs"> & {
    /** What posts of all environments wait for. */
    readonly eventLanes: Lanes;
  };
  /** Calls `run` after a time unless the environment is closed before. */
  later(ms: number, run: () => void): () => void;
  countEvents(name: CounterName & `event${string}`, count: number): void;
  /** Notes how many events more, or fewer, are waiting. */
  queuedEvents(change: number): void;
}
