import type { Fields } from "../fields.js";

interface Counter {
  /** The members before `count`, as JSON. */
  readonly members: string;
  count: number;
}

interface FlagSummary {
  /** As JSON. */
  readonly default: string;
  readonly counters: Map<string, Counter>;
  readonly contextKinds: Set<string>;
}

/** Counts evaluations by flag, version and variation. */
export interface Summary {
  /** Counts an evaluation. Gives false when that would need more memory than there is. */
  count(event: Fields, contextKinds: readonly string[]): boolean;
  /** The `summary` event of what was counted as JSON, if anything was; then counts anew. */
  take(): string | undefined;
}

/** Where a summary gets its memory from. */
export interface SummaryMemory {
  /** Gives false when there is not that much. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

/** What an entry costs beside its text: maps, sets, objects. */
const flagBytes = 1024;
const counterBytes = 256;
const kindBytes = 64;

/** Creates an empty summary. Names and values come from clients, so everything that it keeps is paid for from `memory`. */
export function createSummary(memory: SummaryMemory): Summary {
  let flags = new Map<string, FlagSummary>();
  let startDate = Number.POSITIVE_INFINITY;
  let endDate = 0;
  let held = 0;

  function pay(bytes: number): boolean {
    if (!memory.take(bytes)) return false;
    held += bytes;
    return true;
  }

  function flagOf(event: Fields): FlagSummary | undefined {
    const key = String(event.key);
    const known = flags.get(key);
    if (known !== undefined) return known;
    const text = JSON.stringify(event.default ?? null);
    if (!pay(flagBytes + sizeOf(key) + sizeOf(text))) return undefined;
    const created = { default: text, counters: new Map(), contextKinds: new Set<string>() };
    flags.set(key, created);
    return created;
  }

  function counterOf(
    { counters }: FlagSummary,
    { variation, version, value = null }: Fields,
  ): Counter | undefined {
    const name = JSON.stringify([variation ?? null, version ?? null]);
    const known = counters.get(name);
    if (known !== undefined) return known;
    const which = (version ?? null) === null ? { unknown: true } : { version };
    const members = JSON.stringify({ ...which, variation, value }).slice(1, -1);
    if (!pay(counterBytes + sizeOf(name) + sizeOf(members))) return undefined;
    const created = { members, count: 0 };
    counters.set(name, created);
    return created;
  }

  return {
    count(event, contextKinds) {
      const flag = flagOf(event);
      const counter = flag === undefined ? undefined : counterOf(flag, event);
      if (flag === undefined || counter === undefined) return false;
      for (const kind of contextKinds) {
        if (flag.contextKinds.has(kind)) continue;
        if (!pay(kindBytes + sizeOf(kind))) return false;
        flag.contextKinds.add(kind);
      }
      counter.count++;
      const { creationDate } = event;
      if (typeof creationDate === "number") {
        startDate = Math.min(startDate, creationDate);
        endDate = Math.max(endDate, creationDate);
      }
      return true;
    },
    take() {
      const counted = [...flags].filter(([, { counters }]) => [...counters.values()].some(isUsed));
      const start = Number.isFinite(startDate) ? startDate : endDate;
      const features = counted.map(([key, flag]) => `${JSON.stringify(key)}:${printFlag(flag)}`);
      const text = `{"kind":"summary","startDate":${start},"endDate":${endDate},"features":{${features.join(",")}}}`;
      memory.giveBack(held);
      held = 0;
      flags = new Map();
      startDate = Number.POSITIVE_INFINITY;
      endDate = 0;
      return counted.length === 0 ? undefined : text;
    },
  };
}

/** A counter for which there was memory, but none for the kinds of its context, has counted nothing. */
function isUsed({ count }: Counter): boolean {
  return count > 0;
}

function printFlag({ default: fallback, counters, contextKinds }: FlagSummary): string {
  const used = [...counters.values()].filter(isUsed);
  const printed = used.map(({ members, count }) => `{${members},"count":${count}}`);
  return `{"default":${fallback},"counters":[${printed.join(",")}],"contextKinds":${JSON.stringify([...contextKinds])}}`;
}

/** A text takes two bytes for each character as soon as one of them is beyond Latin-1. */
function sizeOf(text: string): number {
  return 2 * text.length;
}
