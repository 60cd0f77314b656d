import {
  type AnnouncedChange,
  type AnnouncedOptions,
  type AnnouncementSourceFactory,
  type Change,
  type Clock,
  type Logger,
  messageOf,
  type OfflineChange,
  type OfflineSourceFactory,
  type ResolvedUpstream,
  type SourceErrorKind,
} from "@wye/relay";
import { Hearing, type Untold } from "./hearing.js";
import type {
  AnnouncementRequest,
  Channel,
  ContentsRequest,
  FromWorker,
  SentTrouble,
  ToWorker,
} from "./messages.js";
import { sentChange } from "./sent-change.js";

/** What announcements are heard with. */
export interface AnnouncementHubOptions {
  readonly announcements: AnnouncementSourceFactory;
  readonly contents: OfflineSourceFactory;
  readonly dispatcher: ResolvedUpstream["dispatcher"];
  readonly logger: Logger;
  readonly clock: Clock;
}

/**
 * Which environments there are, heard once for all workers: from upstream, or out of a file, then with their flags. One that comes
 * later gets what the others have: keys of earlier announcements, which nobody names again, until they expire, and what is known
 * while upstream is away or the file cannot be used.
 */
export class AnnouncementHub {
  readonly #options: AnnouncementHubOptions;
  readonly #hearings = new Set<Hearing>();
  /** Those that were announced last are last: of two that claim one key the first is served. */
  readonly #environments = new Map<string, AnnouncedOptions>();
  readonly #flags = new Map<string, Change>();
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
      if (this.#latest !== undefined) hearing.changed(this.#environments.keys(), this.#flags.keys(), []);
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

  #start(request: AnnouncementRequest | ContentsRequest): { close(): void } {
    const { announcements, contents, dispatcher, logger, clock } = this.#options;
    const interrupted = (kind: SourceErrorKind, message: string) => this.#troubled({ kind, message });
    if ("file" in request) {
      const apply = async (change: OfflineChange) => this.#apply({ ...change, isWhole: true }, change.flags);
      return contents({ ...request, logger, clock, sink: { apply, interrupted } });
    }
    const { key, upstream } = request;
    return announcements({
      key,
      upstream: { ...upstream, dispatcher },
      logger,
      clock,
      random: Math.random,
      sink: {
        apply: (change) => this.#apply(change, new Map()),
        interrupted,
        refused: (message) => this.#troubled({ kind: undefined, message }),
      },
    });
  }

  #apply(change: AnnouncedChange, flags: ReadonlyMap<string, Change>): void {
    const { environments, problems, broken, isWhole } = change;
    for (const [name, options] of environments) {
      this.#environments.delete(name);
      if (options !== undefined) this.#environments.set(name, options);
      else this.#flags.delete(name);
    }
    for (const [name, items] of flags) this.#flags.set(name, items);
    this.#latest = { broken, isWhole };
    this.#trouble = undefined;
    for (const hearing of this.#hearings) hearing.changed(environments.keys(), flags.keys(), problems);
  }

  #troubled(trouble: SentTrouble): void {
    this.#trouble = trouble;
    for (const hearing of this.#hearings) hearing.troubled(trouble);
  }

  #messageOf({ names, flags, problems, trouble }: Untold): ToWorker {
    const { broken = new Map<string, never>(), isWhole = false } = this.#latest ?? {};
    const gone = [...(names ?? [])].filter((name) => !this.#environments.has(name));
    const changed = [...this.#environments].filter(([name]) => names?.has(name));
    const environments = new Map([...changed, ...gone.map((name) => [name, undefined] as const)]);
    return {
      type: "announced",
      change: names && {
        environments,
        flags: new Map(
          [...this.#flags].flatMap(([name, items]) => (flags.has(name) ? [[name, sentChange(items)]] : [])),
        ),
        broken: Array.from(broken, ([name, { wanted, error }]) => [name, wanted, messageOf(error)]),
        problems: [...problems],
        isWhole,
      },
      trouble,
    };
  }
}
