import type { Item } from "../read/item.js";
import { readSegment, type SegmentModel, type SegmentRuleModel } from "../read/segment-model.js";
import type { Steps } from "../steps.js";
import { bucketingCode, bucketLimit } from "./bucketing.js";
import { compileClauses, namedSegments } from "./compile-clause.js";
import type { CompiledSegment, SegmentRule, SegmentShare } from "./compiled-segment.js";
import type { Registry } from "./registry.js";

/** Compiles a segment. When one cannot be read, neither can be told who is in it. */
export function* compileSegment(registry: Registry, item: Item): Steps<CompiledSegment> {
  const { key } = item;
  const { fields, reader } = item.read();
  const model = readSegment(reader, fields);
  const { unbounded, unboundedContextKind, generation } = model;
  const { problems } = reader;
  const slot = registry.segments.of(key);
  const owner = {};
  const weight = unbounded ? 0 : yield* addKeys(registry, slot, owner, model);
  const rules: SegmentRule[] = [];
  for (const rule of model.rules) {
    const clauses = yield* compileClauses(registry, rule.clauses);
    rules.push({ clauses, share: compileShare(registry, key, model.salt, rule) });
  }
  return {
    item,
    deleted: false,
    slot,
    problems,
    weight: rules.reduce((sum, { clauses }) => sum + 1 + clauses.length, 1 + weight),
    owner,
    big: unbounded
      ? {
          kind: registry.kinds.of(unboundedContextKind),
          reference: generation === undefined ? undefined : `${key}.g${generation}`,
        }
      : undefined,
    rules,
    segments: namedSegments(
      registry,
      rules.flatMap(({ clauses }) => clauses),
    ),
  };
}

function compileShare(
  registry: Registry,
  key: string,
  salt: string,
  { weight, bucketBy, rolloutContextKind }: SegmentRuleModel,
): SegmentShare | undefined {
  if (weight === undefined) return undefined;
  const prefix = `${key}.${salt}`;
  const model = { prefix, contextKind: rolloutContextKind, bucketBy, experiment: false };
  const code = bucketingCode(registry, model);
  return { bucketing: code && registry.program.append(code), limit: bucketLimit(weight / 100_000) };
}

/**
 * Lists the keys in the order in which they count: included users, others included, excluded users, others excluded.
 * Returns how many there are.
 */
function* addKeys(registry: Registry, slot: number, owner: object, model: SegmentModel): Steps<number> {
  const lists = [
    { targets: [{ contextKind: "user", values: model.included }], included: true, severalKindsOnly: false },
    { targets: model.includedContexts, included: true, severalKindsOnly: true },
    { targets: [{ contextKind: "user", values: model.excluded }], included: false, severalKindsOnly: false },
    { targets: model.excludedContexts, included: false, severalKindsOnly: true },
  ];
  let count = 0;
  for (const [rank, { targets, included, severalKindsOnly }] of lists.entries()) {
    for (const { contextKind, values } of targets) {
      const target = { type: "segment", slot, owner, rank, included, severalKindsOnly } as const;
      yield* registry.listings.add(registry.kinds.of(contextKind), values, target);
      count += values.length;
    }
  }
  return count;
}
