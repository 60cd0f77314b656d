import { hashPrefix } from "../sha1.js";
import type { Registry } from "./registry.js";

/** How a rollout deals contexts out: by the hash of a prefix and the value of one attribute. */
export interface BucketingModel {
  /** The seed, or key and salt. */
  readonly prefix: string;
  readonly contextKind: string;
  readonly bucketBy: string;
  readonly experiment: boolean;
}

/** A hash has 60 bits. Limits are multiplied by this, which is exact, instead of dividing every hash. */
const SCALE = 2 ** 60;

/** The hash below which that sum of weights lies, in hundred-thousandths added up as fractions. */
export function bucketLimit(share: number): number {
  return share * SCALE;
}

/** The code for bucketing; undefined if the attribute reference is not valid. Experiments always go by key. */
export function bucketingCode(registry: Registry, model: BucketingModel): readonly number[] | undefined {
  const { prefix, contextKind, bucketBy, experiment } = model;
  const attribute = registry.attribute(contextKind, experiment || bucketBy === "" ? "key" : bucketBy);
  if (attribute === undefined) return undefined;
  const kind = registry.kinds.of(contextKind || "user");
  return [kind, attribute, experiment ? 0 : 1, ...hashPrefix(`${prefix}.`)];
}

/** Each rollout hashes the text: a longer one counts as none, as it would cost more than all the rest of an evaluation. */
const MAX_LENGTH = 16_384;

/** The text of an attribute that is hashed; undefined for those that have no single text form. */
export function bucketText(value: unknown): string | undefined {
  if (typeof value === "string") return value.length > MAX_LENGTH ? undefined : value;
  if (typeof value !== "number" || !Number.isInteger(value)) return undefined;
  // All digits, as a 64-bit integer prints them; what does not fit into one is not taken for an integer.
  return Math.abs(value) < 2 ** 53
    ? String(value)
    : Math.abs(value) < 2 ** 63
      ? String(BigInt(value))
      : undefined;
}
