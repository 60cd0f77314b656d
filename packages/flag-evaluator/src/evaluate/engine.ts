import { outcomeText, type TextForm, textForms } from "../compile/outcome.js";
import type { Snapshot } from "../compile/snapshot.js";
import { NO } from "../compile/verdict.js";
import { engineModule } from "../gen/engine-module.js";
import { Arena } from "./arena.js";
import { ArenaList } from "./arena-list.js";
import { EngineData } from "./engine-data.js";
import { createEngineLists, type EngineLists } from "./engine-lists.js";
import { EngineSuffixes } from "./engine-suffixes.js";
import { clauseVerdict, evaluateSegment, soleTestVerdict } from "./evaluate-clause.js";
import { runFlag } from "./evaluate-flag.js";
import { NOTHING_MET, type Scope } from "./scope.js";

/** Flags that are evaluated together. */
export interface Batch {
  readonly snapshot: Snapshot;
  /** Where their code begins, in the order in which it lies. */
  readonly places: Int32Array;
  /** Their slots in the order of the response. */
  readonly slots: Int32Array;
}

/** What the module in `engine/` exports. */
interface Exports extends WebAssembly.Exports {
  evaluate(count: number): number;
  measure(count: number): number;
  gather(count: number): void;
}

/** Behind what the module keeps for itself. */
const FIRST_FREE = 8192;
/** In place of an outcome. */
const UNKNOWN = -1;
/** In place of a verdict. */
const UNUSUAL = 7;

const encoder = new TextEncoder();

/**
 * Evaluates many flags at once, in WebAssembly: rules, prerequisites, four hashes at a time, and the gathering of a response.
 * What is rare it leaves to the scope, flag by flag: big segments, circles, secondary keys, long texts that are hashed.
 */
export class Engine {
  readonly #scope: Scope;
  readonly #arena: Arena = new Arena(FIRST_FREE);
  readonly #lists: EngineLists;
  readonly #data: EngineData;
  readonly #suffixes: EngineSuffixes;
  /** The bytes of outcomes in each form. */
  readonly #pieces: readonly ArenaList[];
  readonly #exports: Exports;
  #batch: Batch | undefined;
  #turns = 0;

  constructor(scope: Scope, module: WebAssembly.Module) {
    this.#scope = scope;
    this.#lists = createEngineLists(this.#arena);
    this.#data = new EngineData(this.#arena, this.#lists, scope.snapshot.registry);
    this.#suffixes = new EngineSuffixes(this.#arena, this.#lists);
    this.#pieces = Object.values(textForms).map(() => new ArenaList(this.#arena, this.#lists.pieces.word));
    const { exports } = new WebAssembly.Instance(module, {
      env: { memory: this.#arena.memory },
      host: this.#host(),
    });
    // As `engine/index.ts` says.
    this.#exports = exports as Exports;
  }

  /** How many evaluations have begun: what the last one has found is there until the next. */
  get turns(): number {
    return this.#turns;
  }

  /**
   * Evaluates a batch for the scope's context. Gives the size of the response in that form; undefined where memory cannot grow:
   * then there is no engine for the scope any more, which has begun anew.
   */
  evaluate(batch: Batch, form: TextForm): number | undefined {
    this.#turns++;
    try {
      const size = this.#evaluate(batch, form);
      this.#lists.response.reserve(size);
      return size;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      engines.set(this.#scope, null);
      this.#scope.beginAgain();
      return undefined;
    }
  }

  #evaluate(batch: Batch, form: TextForm): number {
    this.#data.follow(batch.snapshot);
    if (batch !== this.#batch) {
      this.#lists.places.replace(batch.places);
      this.#lists.slots.replace(batch.slots);
      this.#batch = batch;
    }
    this.#begin();
    this.#evaluateRest(batch, this.#exports.evaluate(batch.places.length));
    return this.#measure(batch, form);
  }

  /** Copies the response to that place of a body. */
  write(batch: Batch, size: number, body: Uint8Array, to: number): void {
    const from = this.#lists.response.reserve(size);
    this.#exports.gather(batch.slots.length);
    body.set(this.#arena.bytes.subarray(from, from + size), to);
  }

  /** What the module asks. */
  #host() {
    const scope = this.#scope;
    /** The status of big segments that were asked on the way is more than a verdict can say, and so is a circle. */
    const told = (verdict: number): number => {
      if (scope.status === 0 && scope.met === NOTHING_MET) return verdict;
      scope.status = 0;
      scope.met = NOTHING_MET;
      return UNUSUAL;
    };
    return {
      clause: (slot: number) => told(clauseVerdict(scope, slot)),
      test: (clause: number, slot: number) => soleTestVerdict(scope, clause, slot),
      segment: (slot: number) => {
        const segment = scope.snapshot.segments[slot];
        return segment === undefined || segment.deleted ? NO : told(evaluateSegment(scope, segment));
      },
      suffix: (attribute: number) =>
        scope.hasSecondary ? 0 : this.#suffixes.add(attribute, scope.suffix(attribute)),
    };
  }

  #begin(): void {
    const scope = this.#scope;
    const { clauses, tests, segments, flags, kinds, attributes } = scope.snapshot.registry;
    const { clauseMemo, testMemo, segmentMemo, results, targets, listed, kinds: present } = this.#lists;
    this.#suffixes.clear(attributes.length);
    const resultsAt = results.reserve(flags.size * 4) >> 2;
    const targetsAt = targets.reserve(flags.size * 4) >> 2;
    const listedAt = listed.reserve(segments.size);
    const presentAt = present.reserve(kinds.size);
    clauseMemo.reserve(clauses.length);
    testMemo.reserve(tests.length);
    segmentMemo.reserve(segments.size);
    // Nothing is reserved from here on, and so views stay.
    scope.clauseMemo = clauseMemo.cleared(scope.clauseMemo);
    scope.testMemo = testMemo.cleared(scope.testMemo);
    scope.segmentMemo = segmentMemo.cleared(scope.segmentMemo);
    const { bytes, words } = this.#arena;
    words.fill(UNKNOWN, resultsAt, resultsAt + flags.size);
    words.set(scope.flagTargets.subarray(0, flags.size), targetsAt);
    bytes.set(scope.segmentListed.subarray(0, segments.size), listedAt);
    for (let kind = 0; kind < kinds.size; kind++) bytes[presentAt + kind] = scope.part(kind) ? 1 : 0;
  }

  /** Evaluates the flags that are left: so many at most, as some of them may be in no place of the batch. */
  #evaluateRest({ places }: Batch, left: number): void {
    const scope = this.#scope;
    const { code } = scope.program;
    const { words } = this.#arena;
    const results = this.#lists.results.reserve(0) >> 2;
    for (let i = 0; left > 0 && i < places.length; i++) {
      const place = places[i] ?? 0;
      const result = results + (code[place] ?? 0);
      if ((words[result] ?? 0) >= 0) continue;
      scope.status = 0;
      words[result] = runFlag(scope, place);
      left--;
    }
  }

  #measure({ slots }: Batch, form: TextForm): number {
    const pieces = this.#pieces[form] ?? this.#lists.pieces;
    const at = pieces.reserve(this.#scope.program.gives.length * 8);
    this.#arena.words[pieces.word >> 2] = at;
    for (;;) {
      const size = this.#exports.measure(slots.length);
      if (size >= 0) return size;
      this.#addPiece(at >> 2, ~size, form);
    }
  }

  #addPiece(pieces: number, outcome: number, form: TextForm): void {
    const text = `,${outcomeText(this.#scope.program.outcome(outcome), form)}`;
    const at = this.#arena.allocate(text.length);
    const { bytes, words } = this.#arena;
    encoder.encodeInto(text, bytes.subarray(at, at + text.length));
    words[pieces + 2 * outcome] = at;
    words[pieces + 2 * outcome + 1] = text.length;
  }
}

let compiled: WebAssembly.Module | undefined;
const engines = new WeakMap<Scope, Engine | null>();

/** The engine of a scope; undefined where there is no WebAssembly, or no memory for it. */
export function engineOf(scope: Scope): Engine | undefined {
  const known = engines.get(scope);
  if (known !== undefined) return known ?? undefined;
  const engine = createEngine(scope);
  engines.set(scope, engine);
  return engine ?? undefined;
}

function createEngine(scope: Scope): Engine | null {
  try {
    compiled ??= new WebAssembly.Module(Uint8Array.from(atob(engineModule), (one) => one.charCodeAt(0)));
    return new Engine(scope, compiled);
  } catch {
    // Pages may forbid it, and what is older does not know vectors. All is evaluated without it as well.
    return null;
  }
}
