import type { Change } from "../change.js";
import { type ConnectionState, type ConnectionStatus, createConnectionState } from "./connection-state.js";
import { startLastingSource } from "./lasting-source.js";
import type { Source, SourceContext, SourceFactory, SourceSink } from "./source.js";
import type { SourceErrorKind } from "./source-error-kind.js";

/** What a switch needs of the environment that it feeds. */
export interface SourceSwitchPort {
  readonly factory: SourceFactory;
  /** What every source is told, whichever key it uses. */
  readonly context: Omit<SourceContext, "sdkKey" | "sink">;
  /**
   * Takes a change, at once or in turns, as long as it is wanted. Throws or rejects when it cannot be used.
   */
  serve(change: Change, isWanted: () => boolean): Promise<unknown> | undefined;
  /** Whether SDKs may use this key now. */
  isAccepted(sdkKey: string): boolean;
  /** A source has got an answer, whichever. */
  answered(): void;
  countError(kind: SourceErrorKind): void;
}

/** One source and what is known of it. */
interface RunningSource {
  readonly sdkKey: string;
  source: Source | undefined;
  /** Whether it has ever delivered anything. */
  delivered: boolean;
  /** Whether the last that upstream said was that it does not accept the key. */
  refused: boolean;
}

/**
 * Decides which source an environment gets its flags from while its key changes. Each key that is used starts a source; what
 * a source delivers retires the older ones, never a newer one. So the flags go on while a new key is tried, whatever
 * becomes of it.
 */
export class SourceSwitch {
  readonly #port: SourceSwitchPort;
  readonly #connection: ConnectionState;
  /** Oldest first. */
  readonly #running: RunningSource[] = [];
  #everUsed = false;

  constructor(port: SourceSwitchPort) {
    this.#port = port;
    this.#connection = createConnectionState(port.context.clock);
  }

  get status(): ConnectionStatus {
    return this.#connection.status;
  }

  /** For how long the state of the connection has lasted. */
  get lostMs(): number {
    return this.#connection.lostMs;
  }

  /** Whether anything was ever delivered. */
  get everDelivered(): boolean {
    return this.#connection.everValid;
  }

  /** Whether upstream has refused every key that is tried. */
  get refused(): boolean {
    return this.#running.length > 0 && this.#running.every(({ refused }) => refused);
  }

  /** The key that upstream knows: the newest one whose flags were served and that it has not refused since. */
  get knownSdkKey(): string | undefined {
    return this.#running.findLast(speaks)?.sdkKey;
  }

  /** Asks with another key. Throws what the factory throws when it is the first. */
  use(sdkKey: string): void {
    if (!this.#goOn(sdkKey)) this.#start(sdkKey);
  }

  /** Makes the source that has this key already the newest one, unless its key was refused: then it is tried anew at once. */
  #goOn(sdkKey: string): boolean {
    const known = this.#running.find((entry) => entry.sdkKey === sdkKey);
    if (known === undefined) return false;
    if (known.refused) {
      this.#retire((entry) => entry === known);
      return false;
    }
    this.#running.splice(this.#running.indexOf(known), 1);
    this.#running.push(known);
    if (known.delivered) this.#retire((entry) => entry !== known);
    return true;
  }

  #start(sdkKey: string): void {
    const entry: RunningSource = { sdkKey, source: undefined, delivered: false, refused: false };
    this.#running.push(entry);
    this.#connection.asking();
    const context = { ...this.#port.context, sdkKey, sink: this.#sinkOf(entry) };
    const source = startLastingSource(this.#port.factory, context, this.#everUsed);
    this.#everUsed = true;
    // A source that delivers before it is there may be followed by a newer one, or by the end.
    if (this.#running.includes(entry)) entry.source = source;
    else source.close();
  }

  /**
   * Closes the sources that nobody waits for any more: not the newest, not the one whose flags are served, and with a key
   * that is not accepted.
   */
  closeUnaccepted(): void {
    const newest = this.#running.at(-1);
    this.#retire((entry) => entry !== newest && !speaks(entry) && !this.#port.isAccepted(entry.sdkKey));
  }

  close(): void {
    this.#retire(() => true);
    this.#connection.close();
  }

  #sinkOf(entry: RunningSource): SourceSink {
    const whileRunning = (run: () => void) => {
      if (this.#running.includes(entry)) run();
    };
    return {
      apply: (change) => this.#apply(entry, change),
      interrupted: (kind, message) => whileRunning(() => this.#interrupted(entry, kind, message)),
      refused: (kind, message) => whileRunning(() => this.#refused(entry, kind, message)),
    };
  }

  async #apply(entry: RunningSource, change: Change): Promise<void> {
    const isWanted = () => this.#running.includes(entry);
    if (!isWanted()) return;
    const served = this.#port.serve(change, isWanted);
    if (served !== undefined) await served;
    if (!isWanted()) return;
    entry.delivered = true;
    entry.refused = false;
    this.#connection.succeeded();
    const older = this.#running.slice(0, this.#running.indexOf(entry));
    this.#retire((other) => older.includes(other));
    this.#port.answered();
  }

  #interrupted(entry: RunningSource, kind: SourceErrorKind, message: string): void {
    this.#port.countError(kind);
    entry.refused = false;
    if (this.#othersSpeak(entry)) {
      this.#port.context.logger.warn(`the new SDK key: ${message}`);
      this.#connection.failedBeside(kind);
    } else {
      this.#connection.interrupted(kind);
    }
    this.#port.answered();
  }

  #refused(entry: RunningSource, kind: SourceErrorKind, message: string): void {
    this.#port.countError(kind);
    entry.refused = true;
    this.#port.context.logger.error(`upstream refuses the SDK key: ${message}`);
    if (this.refused) this.#connection.refused(kind);
    else if (this.#othersSpeak(entry)) this.#connection.failedBeside(kind);
    else this.#connection.interrupted(kind);
    this.closeUnaccepted();
    this.#port.answered();
  }

  #othersSpeak(entry: RunningSource): boolean {
    return this.#running.some((other) => other !== entry && speaks(other));
  }

  #retire(isOver: (entry: RunningSource) => boolean): void {
    const over = this.#running.filter(isOver);
    for (const entry of over) {
      this.#running.splice(this.#running.indexOf(entry), 1);
      entry.source?.close();
    }
  }
}

/** Whether the flags that are served come from here. */
function speaks({ delivered, refused }: RunningSource): boolean {
  return delivered && !refused;
}
