import { type ItemChange, snapshotFromItems, snapshotWithItems } from "./compile/build-snapshot.js";
import type { CompiledFlag } from "./compile/compiled-flag.js";
import { type Dependencies, findDependencies } from "./compile/dependencies.js";
import { outcomeValueText, type TextForm, textForms } from "./compile/outcome.js";
import type { SlottedItem } from "./compile/slotted-item.js";
import type { Snapshot } from "./compile/snapshot.js";
import {
  type AllFlagsWriter,
  type Allocate,
  type Audience,
  audiences,
  createAllFlagsWriter,
  isVisible,
} from "./evaluate/all-flags.js";
import type { BigSegmentNeed, BigSegments } from "./evaluate/big-segments.js";
import { outcomeOf } from "./evaluate/evaluate-flag.js";
import { detailOf, type EvaluationDetail, type ValueLike } from "./evaluate/evaluation-detail.js";
import { Scope } from "./evaluate/scope.js";
import type {
  DataProblem,
  EvaluateAllBytesOptions,
  EvaluateAllOptions,
  EvaluateOptions,
  Evaluator,
} from "./evaluator.js";
import {
  demandChange,
  demandEvaluator,
  demandItem,
  demandKeys,
  demandKnown,
  demandMemberships,
  demandVersion,
  shown,
} from "./evaluator-arguments.js";
import { explainFlag } from "./explain/explain-flag.js";
import type { FlagExplanation } from "./explain/explanation.js";
import type { JsonValue } from "./json.js";
import { Context } from "./read/context.js";
import { type FlagData, itemsFromData } from "./read/flag-data.js";
import { demandKind, Item, type ItemKind, tombstone } from "./read/item.js";
import type { ItemInput } from "./read/read-item.js";
import { type References, referencesOf } from "./read/references.js";
import { atOnce, type Steps } from "./steps.js";

const decoder = new TextDecoder();
const allocateArray = (size: number) => new Uint8Array(size);

type FallbackOptions = EvaluateOptions & { readonly fallback?: JsonValue };

/** The evaluator of a snapshot. What is made from it is made when first asked for. */
export class SnapshotEvaluator implements Evaluator {
  readonly #snapshot: Snapshot;
  readonly #scope: Scope;
  readonly #writers: AllFlagsWriter[] = [];
  #dependencies: Dependencies | undefined;
  #bigSegments: ReadonlyMap<string, readonly string[]> | undefined;
  #problems: readonly DataProblem[] | undefined;

  /** Evaluators of one registry share a scope. */
  constructor(snapshot: Snapshot, scope: Scope = new Scope(snapshot)) {
    this.#snapshot = snapshot;
    this.#scope = scope;
  }

  evaluate(key: string, context: Context, options?: EvaluateOptions): EvaluationDetail;
  evaluate<T extends JsonValue>(
    key: string,
    context: Context,
    options: EvaluateOptions & { readonly fallback: T },
  ): EvaluationDetail<ValueLike<T>>;
  evaluate(key: string, context: Context, options: FallbackOptions = {}): EvaluationDetail {
    demandKnown(options);
    const { fallback = null, bigSegments } = options;
    const scope = this.#begin(context, bigSegments);
    const flag = this.#flag(key);
    return detailOf(flag === undefined ? undefined : outcomeOf(scope, flag), fallback);
  }

  evaluateAll(context: Context, options: EvaluateAllOptions = {}): string {
    return decoder.decode(this.#writeAll(context, options, allocateArray));
  }

  evaluateAllBytes(context: Context, options: EvaluateAllBytesOptions = {}): Uint8Array<ArrayBuffer> {
    demandKnown(options);
    return this.#writeAll(context, options, options.allocate ?? allocateArray);
  }

  evaluateMany(
    keys: Iterable<string>,
    context: Context,
    options: EvaluateAllOptions = {},
  ): Map<string, string> {
    demandKeys(keys);
    const form = textForm(options);
    const audience = audienceOf(options);
    const scope = this.#begin(context, options.bigSegments);
    const texts = new Map<string, string>();
    for (const key of keys) {
      const flag = this.#flag(key);
      if (flag === undefined || !isVisible(flag, audience)) continue;
      texts.set(key, outcomeValueText(outcomeOf(scope, flag), form));
    }
    return texts;
  }

  explain(key: string, context: Context, options: EvaluateOptions = {}): FlagExplanation {
    demandKnown(options);
    return explainFlag(this.#begin(context, options.bigSegments), key, this.#flag(key));
  }

  bigSegmentsFor(context: Context): readonly BigSegmentNeed[] {
    this.#bigSegments ??= this.#findBigSegments();
    if (context.parts.length === 1) {
      const [{ kind, key }] = context.parts;
      const references = this.#bigSegments.get(kind);
      return references === undefined ? [] : [{ contextKey: key, references }];
    }
    const needs = new Map<string, readonly string[]>();
    for (const [kind, references] of this.#bigSegments) {
      const part = context.part(kind);
      if (part === undefined) continue;
      const others = needs.get(part.key);
      needs.set(part.key, others === undefined ? references : [...others, ...references]);
    }
    return Array.from(needs, ([contextKey, references]) => ({ contextKey, references }));
  }

  /** The references of the big segments that some flag may ask about, by the kind of context that they are of. */
  #findBigSegments(): ReadonlyMap<string, readonly string[]> {
    const { registry, segments } = this.#snapshot;
    const byKind = new Map<string, string[]>();
    for (const slot of this.#findDependencies().usedSegments()) {
      const segment = segments[slot];
      if (segment === undefined || segment.deleted || segment.big?.reference === undefined) continue;
      const kind = registry.kinds.name(segment.big.kind);
      const references = byKind.get(kind);
      if (references === undefined) byKind.set(kind, [segment.big.reference]);
      else references.push(segment.big.reference);
    }
    return byKind;
  }

  affectedBy(kind: ItemKind, key: string): readonly string[] {
    demandKind(kind);
    return this.#findDependencies().affectedBy([[kind, key]]);
  }

  changedSince(previous: Evaluator): readonly string[] {
    demandEvaluator(previous);
    const changes: [ItemKind, string][] = [];
    for (const kind of ["flags", "segments"] as const) {
      for (const { key } of previous.items(kind)) {
        if (this.item(kind, key) === undefined) changes.push([kind, key]);
      }
      for (const { key, json } of this.items(kind)) {
        if (previous.item(kind, key)?.json !== json) changes.push([kind, key]);
      }
    }
    return this.#findDependencies().affectedBy(changes);
  }

  references(kind: ItemKind, key: string): References | undefined {
    const item = this.item(kind, key);
    return item === undefined || item.deleted ? undefined : referencesOf(item);
  }

  item(kind: ItemKind, key: string): Item | undefined {
    demandKind(kind);
    const slot = this.#snapshot.registry[kind].find(key);
    return slot === undefined ? undefined : this.#snapshot[kind][slot]?.item;
  }

  items(kind: ItemKind): readonly Item[] {
    demandKind(kind);
    const slotted: readonly (SlottedItem | undefined)[] = this.#snapshot[kind];
    return slotted.flatMap((one) => one?.item ?? []);
  }

  get problems(): readonly DataProblem[] {
    this.#problems ??= Object.freeze(
      (["flags", "segments"] as const).flatMap((kind) => problemsOf(this.#snapshot, kind)),
    );
    return this.#problems;
  }

  apply(change: ItemChange): Evaluator {
    demandChange(change);
    return atOnce(this.applyInSteps(change));
  }

  *applyInSteps({ extent, items }: ItemChange): Steps<Evaluator> {
    const snapshot = this.#snapshot;
    return this.#next(
      extent === "full"
        ? yield* snapshotFromItems(items, snapshot.maxNesting, snapshot)
        : yield* snapshotWithItems(snapshot, items),
    );
  }

  replace(data: FlagData): Evaluator {
    return this.apply({ extent: "full", items: itemsFromData(data) });
  }

  upsert(kind: ItemKind, key: string, item: ItemInput): Evaluator {
    demandKind(kind);
    demandItem(item);
    return this.apply({ extent: "partial", items: [new Item(kind, key, item)] });
  }

  delete(kind: ItemKind, key: string, version: number): Evaluator {
    demandKind(kind);
    demandVersion(version);
    return this.apply({ extent: "partial", items: [tombstone(kind, key, version)] });
  }

  #writeAll(context: Context, options: EvaluateAllOptions, allocate: Allocate): Uint8Array<ArrayBuffer> {
    const form = textForm(options);
    const audience = audienceOf(options);
    const place = audiences.indexOf(audience) * audiences.length + form;
    const write = this.#writers[place] ?? createAllFlagsWriter(this.#snapshot, audience, form);
    this.#writers[place] = write;
    return write(this.#begin(context, options.bigSegments), allocate);
  }

  #next(snapshot: Snapshot): Evaluator {
    if (snapshot === this.#snapshot) return this;
    const sameRegistry = snapshot.registry === this.#snapshot.registry;
    return new SnapshotEvaluator(snapshot, sameRegistry ? this.#scope : undefined);
  }

  #begin(context: Context, bigSegments: BigSegments | undefined): Scope {
    if (!(context instanceof Context)) {
      throw new TypeError("expected a context made by parseContext, contextFromBase64 or createContext");
    }
    if (bigSegments !== undefined) demandMemberships(bigSegments);
    this.#scope.begin(this.#snapshot, context, bigSegments);
    return this.#scope;
  }

  #flag(key: string): CompiledFlag | undefined {
    const slot = this.#snapshot.registry.flags.find(key);
    const flag = slot === undefined ? undefined : this.#snapshot.flags[slot];
    return flag === undefined || flag.deleted ? undefined : flag;
  }

  #findDependencies(): Dependencies {
    this.#dependencies ??= findDependencies(this.#snapshot);
    return this.#dependencies;
  }
}

function textForm(options: EvaluateAllOptions): TextForm {
  demandKnown(options);
  const { format = "evalx", withReasons = false } = options;
  if (typeof withReasons !== "boolean")
    throw new TypeError(`withReasons must be true or false, not ${shown(withReasons)}`);
  if (format === "eval") return textForms.value;
  if (format !== "evalx")
    throw new TypeError(`format must be "evalx" or "eval", not ${JSON.stringify(format)}`);
  return withReasons ? textForms.detailsWithReason : textForms.details;
}

function audienceOf({ audience = "server" }: EvaluateAllOptions): Audience {
  if (audiences.includes(audience)) return audience;
  throw new TypeError(`audience must be one of ${audiences.join(", ")}, not ${JSON.stringify(audience)}`);
}

function problemsOf(snapshot: Snapshot, kind: ItemKind): readonly DataProblem[] {
  const items: readonly (SlottedItem | undefined)[] = snapshot[kind];
  return items.flatMap((item) =>
    (item?.problems ?? []).map((problem) => Object.freeze({ kind, key: item?.item.key ?? "", ...problem })),
  );
}
