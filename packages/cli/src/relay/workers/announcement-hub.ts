import {
  type AnnouncedChange,
  type AnnouncedOptions,
  type AnnouncementSourceFactory,
  type Clock,
  type Logger,
  messageOf,
  type ResolvedUpstream,
} from "@wye/relay";
import { Hearing, type Untold } from "./hearing.js";
import type { AnnouncementRequest, Channel, FromWorker, SentTrouble, ToWorker } from "./messages.js";

/** What announcements are heard with. */
export interface AnnouncementHubOptions {
  readonly start: AnnouncementSourceFactory;
  readonly dispatcher: ResolvedUpstream["dispatcher"];
  readonly logger: Logger;
  readonly clock: Clock;
}

/**
 * Automatic configuration for all workers, heard once. One that comes later gets what the others have: keys of earlier
 * announcements, which upstream does not name again, until they expire, and what is known while upstream is away.
 */
export class AnnouncementHub {
  readonly #options: AnnouncementHubOptions;
  readonly #hearings = new Set<Hearing>();
  /** Those that were announced last are last: of two that claim one key the first is served. */
  readonly #environments = new Map<string, AnnouncedOptions>();
  #latest: Pick<AnnouncedChange, "broken" | "isWhole"> | undefined;
  #trouble: SentTrouble | undefined;
  #source: { close(): void } | undefined;

  constructor(options: AnnouncementHubOptions) {
    this.#options = options;
  }

  /** Serves a worker until the returned function is called, when it is gone. */
  attach(channel: Channel<ToWorker, FromWorker>): () => void {
    let hearing: Hearing | undefined;
    const stop = channel.listen((message) => {
      if (message.type === "heard") hearing?.heard();
      if (message.type !== "hear") return;
      hearing = new Hearing((untold) => channel.send(this.#messageOf(untold)));
      this.#hearings.add(hearing);
      if (this.#latest !== undefined) hearing.changed(this.#environments.keys(), []);
      if (this.#trouble !== undefined) hearing.troubled(this.#trouble);
      this.#source ??= this.#start(message.request);
    });
    return () => {
      stop();
      if (hearing !== undefined) this.#hearings.delete(hearing);
    };
  }

  close(): void {
    this.#source?.close();
  }

  #start({ key, upstream }: AnnouncementRequest): { close(): void } {
    const { start, dispatcher, logger, clock } = this.#options;
    return start({
      key,
      upstream: { ...upstream, dispatcher },
      logger,
      clock,
      random: Math.random,
      sink: {
        apply: (change) => this.#apply(change),
        interrupted: (kind, message) => this.#troubled({ kind, message }),
        refused: (message) => this.#troubled({ kind: undefined, message }),
      },
    });
  }

  #apply({ environments, problems, ...latest }: AnnouncedChange): void {
    for (const [name, options] of environments) {
      this.#environments.delete(name);
      if (options !== undefined) this.#environments.set(name, options);
    }
    this.#latest = latest;
    this.#trouble = undefined;
    for (const hearing of this.#hearings) hearing.changed(environments.keys(), problems);
  }

  #troubled(trouble: SentTrouble): void {
    this.#trouble = trouble;
    for (const hearing of this.#hearings) hearing.troubled(trouble);
  }

  #messageOf({ names, problems, trouble }: Untold): ToWorker {
    const { broken = new Map<string, never>(), isWhole = false } = this.#latest ?? {};
    const gone = [...(names ?? [])].filter((name) => !this.#environments.has(name));
    const changed = [...this.#environments].filter(([name]) => names?.has(name));
    const environments = new Map([...changed, ...gone.map((name) => [name, undefined] as const)]);
    return {
      type: "announced",
      change: names && {
        environments,
        broken: Array.from(broken, ([name, { wanted, error }]) => [name, wanted, messageOf(error)]),
        problems: [...problems],
        isWhole,
      },
      trouble,
    };
  }
}
