interface Counter {
  readonly variation: unknown;
  readonly version: unknown;
  readonly value: unknown;
  count: number;
}

interface FlagSummary {
  readonly default: unknown;
  readonly counters: Map<string, Counter>;
  readonly contextKinds: Set<string>;
}

/** Counts evaluations by flag, version and variation. */
export interface Summary {
  count(event: Readonly<Record<string, unknown>>, contextKinds: readonly string[]): void;
  /** The `summary` event of what was counted, if anything was; then counts anew. */
  take(): object | undefined;
}

/** Creates an empty summary. */
export function createSummary(): Summary {
  let flags = new Map<string, FlagSummary>();
  let startDate = Number.POSITIVE_INFINITY;
  let endDate = 0;
  return {
    count(event, contextKinds) {
      const key = String(event.key);
      let flag = flags.get(key);
      if (flag === undefined) {
        flag = { default: event.default ?? null, counters: new Map(), contextKinds: new Set() };
        flags.set(key, flag);
      }
      for (const kind of contextKinds) flag.contextKinds.add(kind);
      const { variation, version, value = null } = event;
      const name = JSON.stringify([variation ?? null, version ?? null]);
      const counter = flag.counters.get(name);
      if (counter === undefined) flag.counters.set(name, { variation, version, value, count: 1 });
      else counter.count++;
      if (typeof event.creationDate === "number") {
        startDate = Math.min(startDate, event.creationDate);
        endDate = Math.max(endDate, event.creationDate);
      }
    },
    take() {
      if (flags.size === 0) return undefined;
      const features = [...flags].map(([key, flag]) => [
        key,
        {
          default: flag.default,
          counters: [...flag.counters.values()].map(({ version, ...counter }) =>
            version === undefined ? { unknown: true, ...counter } : { version, ...counter },
          ),
          contextKinds: [...flag.contextKinds],
        },
      ]);
      const event = {
        kind: "summary",
        startDate: Number.isFinite(startDate) ? startDate : endDate,
        endDate,
        features: Object.fromEntries(features),
      };
      flags = new Map();
      startDate = Number.POSITIVE_INFINITY;
      endDate = 0;
      return event;
    },
  };
}
