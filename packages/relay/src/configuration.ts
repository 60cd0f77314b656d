import type { ConnectionStatus } from "./sources/connection-state.js";

/** What names the environments of a relay in place of its host. */
export interface Configuration {
  /** Whether it was ever known which environments there are. */
  readonly configured: boolean;
  readonly status: ConnectionStatus;
  /** Resolves when it is known which environments there are, or that this takes longer. */
  readonly settled: Promise<void>;
  /** Stops; the environments stay as they are. */
  close(): void;
}
