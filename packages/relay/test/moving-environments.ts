import type { Random } from "./lifecycle/random.js";
import { announced } from "./start-auto-configured.js";

/** What upstream says in one message: an environment, or, without an item, that there is none with this ID any more. */
export interface Said {
  readonly id: string;
  readonly version: number;
  readonly item?: Record<string, unknown>;
}

/** An environment of upstream. What its keys open is the same for ever; where it is announced changes. */
interface Origin {
  readonly n: number;
  keysSoFar: number;
  expiring: string | undefined;
}

const inAnHour = Date.now() + 3_600_000;
const ids = ["env-0", "env-1", "env-2"];

/** The SDK key that an environment of upstream had as its `at`th. */
const keyOf = (n: number, at: number) => `sdk-${"abc"[n]}${at}`;
/** What a key opens, mobile keys included: the version of the one flag there. */
export const openedBy = (key: string): number => 1 + "abc".indexOf(key.charAt(4));
/** All keys that there may be. */
export const allKeys: readonly string[] = [0, 1, 2].flatMap((n) =>
  Array.from({ length: 70 }, (_, at) => keyOf(n, at)),
);
export const allMobileKeys: readonly string[] = [0, 1, 2].map((n) => `mob-${"abc"[n]}`);

/** Three environments of upstream that are announced under three IDs: they rotate their keys, change places, go and come back. */
export class MovingEnvironments {
  readonly #random: Random;
  readonly #origins: readonly Origin[] = [0, 1, 2].map((n) => ({ n, keysSoFar: 1, expiring: undefined }));
  readonly #places = new Map<string, Origin>(ids.map((id, n) => [id, this.#originOf(n)]));
  #version = 1;

  constructor(random: Random) {
    this.#random = random;
  }

  #originOf(n: number): Origin {
    const origin = this.#origins[n];
    if (origin === undefined) throw new Error(`there is no environment ${n}`);
    return origin;
  }

  /** All that there is now, as a full set. */
  all(): Record<string, unknown> {
    return Object.fromEntries([...this.#places].map(([id, origin]) => [id, this.#itemOf(id, origin)]));
  }

  /** The keys that are announced now. */
  keysNow(): string[] {
    return [...this.#places.values()].flatMap(({ n, keysSoFar, expiring }) => [
      keyOf(n, keysSoFar - 1),
      `mob-${"abc"[n]}`,
      ...(expiring === undefined ? [] : [expiring]),
    ]);
  }

  /** The SDK keys that have been. */
  keysSoFar(): string[] {
    return this.#origins.flatMap(({ n, keysSoFar }) =>
      Array.from({ length: keysSoFar }, (_, at) => keyOf(n, at)),
    );
  }

  /** Something happens; gives the messages that say so, in any order. */
  happen(): Said[] {
    switch (this.#random.below(5)) {
      case 0:
        return this.#rotate();
      case 1:
        return this.#go();
      case 2:
        return this.#exchange(3);
      default:
        return this.#exchange(2);
    }
  }

  #rotate(): Said[] {
    const id = this.#random.pick([...this.#places.keys()]);
    const origin = id === undefined ? undefined : this.#places.get(id);
    if (id === undefined || origin === undefined) return this.#comeBack();
    this.#newKey(origin, this.#random.below(3) > 0);
    return [this.#say(id)];
  }

  /** Whoever has not heard which environment an ID stands for now can only tell that from an expiring key. */
  #newKey(origin: Origin, isExpiringNamed: boolean): void {
    origin.expiring = isExpiringNamed ? keyOf(origin.n, origin.keysSoFar - 1) : undefined;
    origin.keysSoFar++;
  }

  #go(): Said[] {
    const id = this.#random.pick([...this.#places.keys()]);
    if (id === undefined || this.#places.size < 3) return this.#comeBack();
    this.#places.delete(id);
    return [{ id, version: ++this.#version }];
  }

  #comeBack(): Said[] {
    const absent = this.#random.pick(
      this.#origins.filter((one) => ![...this.#places.values()].includes(one)),
    );
    const id = this.#random.pick(ids.filter((one) => !this.#places.has(one)));
    if (absent === undefined || id === undefined) return [];
    if (this.#random.below(2) === 0) this.#newKey(absent, true);
    this.#places.set(id, absent);
    return [this.#say(id)];
  }

  /** Some go each to the ID of the next one, some of them with new keys. */
  #exchange(count: number): Said[] {
    const taking = this.#shuffled([...this.#places]).slice(0, count);
    const changed = taking[0]?.[1];
    // Of one nobody has heard any key; where the others are tells that it is none of them.
    if (changed !== undefined && this.#random.below(3) === 0)
      for (let keys = 0; keys < 2; keys++) this.#newKey(changed, true);
    const said = taking.map(([id], at) => {
      const origin = taking[(at + 1) % taking.length]?.[1] ?? this.#originOf(0);
      this.#places.set(id, origin);
      const messages = [this.#say(id)];
      if (this.#random.below(3) === 0) {
        this.#newKey(origin, this.#random.below(2) === 0);
        messages.push(this.#say(id));
      }
      return messages;
    });
    return this.#interleaved(said);
  }

  /** All messages, those about one ID in their order. */
  #interleaved(lists: readonly Said[][]): Said[] {
    const rest = lists.filter((list) => list.length > 0);
    const next = this.#random.pick(rest)?.shift();
    return next === undefined ? [] : [next, ...this.#interleaved(rest)];
  }

  #shuffled<Value>(values: readonly Value[]): Value[] {
    const rest = [...values];
    return values.flatMap(() => rest.splice(this.#random.below(rest.length), 1));
  }

  #say(id: string): Said {
    const origin = this.#places.get(id);
    const version = ++this.#version;
    return origin === undefined ? { id, version } : { id, version, item: this.#itemOf(id, origin) };
  }

  #itemOf(id: string, { n, keysSoFar, expiring }: Origin): Record<string, unknown> {
    return announced(n, {
      envID: id,
      mobKey: `mob-${"abc"[n]}`,
      version: this.#version,
      sdkKey: {
        value: keyOf(n, keysSoFar - 1),
        ...(expiring === undefined ? {} : { expiring: { value: expiring, timestamp: inAnHour } }),
      },
    });
  }
}
