import { expect, test } from "vitest";
import { compileFlags, createContext } from "../src/index.js";
import { createBigSegmentStore, fetchBigSegments } from "./big-segment-store.js";
import { dataOf, flag, flagWithClauses, type Item, segment } from "./flags.js";
import { startSdkOracle } from "./sdk-oracle.js";

// Where the official JavaScript SDK is known to do otherwise than the reference evaluator, this package does as the
// reference. Each row says what both give; a row that fails because the SDK has come to agree can be deleted.

interface Quirk {
  /** What the SDK does. */
  readonly sdkDoes: string;
  readonly flags: readonly Item[];
  readonly segments?: readonly Item[];
  readonly bigSegments?: true;
  readonly context: object;
  /** Some members of the first flag's result. */
  readonly reference: Item;
  readonly sdk: Item;
}

const user = { kind: "user", key: "a" };
const malformed = { reason: { kind: "ERROR", errorKind: "MALFORMED_FLAG" } };
const matched = { reason: { kind: "RULE_MATCH", ruleIndex: 0, ruleId: "rule" } };
const notMatched = { reason: { kind: "FALLTHROUGH" } };
const always = { contextKind: "user", attribute: "key", op: "startsWith", values: [""] };
const invalid = { contextKind: "user", attribute: "//", op: "in", values: ["a"] };
const inSegment = { attribute: "", op: "segmentMatch", values: ["segment"] };

const withClauses = (...clauses: readonly Item[]): readonly Item[] => [flagWithClauses(clauses)];
const halves = (members: Item): Item => {
  const variations = [
    { variation: 0, weight: 50_000 },
    { variation: 1, weight: 50_000 },
  ];
  return { fallthrough: { rollout: { variations, ...members } } };
};

/** The five that are documented, and what else came up by comparing. */
const quirks: readonly Quirk[] = [
  {
    sdkDoes: "forget an error in a clause when a later clause of the rule is evaluated",
    flags: withClauses(invalid, always),
    context: user,
    reference: malformed,
    sdk: matched,
  },
  {
    sdkDoes: "go on behind a prerequisite that is part of a circle",
    flags: [
      flag("flag", { prerequisites: [{ key: "circle", variation: 0 }] }),
      flag("circle", {
        prerequisites: [
          { key: "circle", variation: 0 },
          { key: "missing", variation: 0 },
        ],
      }),
    ],
    context: user,
    reference: malformed,
    sdk: { reason: { kind: "PREREQUISITE_FAILED", prerequisiteKey: "circle" } },
  },
  {
    sdkDoes: "match with operators named like members of all objects",
    flags: withClauses({ attribute: "key", op: "toString", values: ["x"] }),
    context: user,
    reference: notMatched,
    sdk: matched,
  },
  {
    sdkDoes: "leave an escape in the first step of an attribute reference",
    flags: withClauses({ contextKind: "user", attribute: "/~0x", op: "in", values: [1] }),
    context: { ...user, "~x": 1 },
    reference: matched,
    sdk: notMatched,
  },
  {
    sdkDoes: "take a seed of 0 for none",
    flags: [flag("flag", halves({ seed: 0 }))],
    context: { kind: "user", key: "key-10" },
    reference: { variation: 0 },
    sdk: { variation: 1 },
  },
  {
    sdkDoes: "leave the secondary key of old users out of bucketing",
    flags: [flag("flag", halves({}))],
    context: { key: "key-17", secondary: "s" },
    reference: { variation: 0 },
    sdk: { variation: 1 },
  },
  {
    sdkDoes: "write whole numbers beyond 2^53 in bucketing with fewer digits",
    flags: [flag("flag", halves({ bucketBy: "number" }))],
    context: { ...user, number: 2 ** 58 },
    reference: { variation: 0 },
    sdk: { variation: 1 },
  },
  {
    sdkDoes: "put contexts without the kind into an experiment that has no weights",
    flags: [
      flag("flag", {
        fallthrough: {
          rollout: { kind: "experiment", contextKind: "org", variations: [{ variation: 1, weight: 0 }] },
        },
      }),
    ],
    context: user,
    reference: { reason: { kind: "FALLTHROUGH" } },
    sdk: { reason: { kind: "FALLTHROUGH", inExperiment: true } },
  },
  {
    sdkDoes: "let contexts without the kind into the share of a segment",
    flags: withClauses(inSegment),
    segments: [segment("segment", { rules: [{ clauses: [], weight: 1, rolloutContextKind: "org" }] })],
    context: user,
    reference: notMatched,
    sdk: matched,
  },
  {
    sdkDoes: "look at the listed contexts of a segment for a context that is only a user",
    flags: withClauses(inSegment),
    segments: [segment("segment", { includedContexts: [{ contextKind: "user", values: ["a"] }] })],
    context: user,
    reference: notMatched,
    sdk: matched,
  },
  {
    sdkDoes: "take the plain targets in place of context targets for users that have keys of their own",
    flags: [flag("flag", { contextTargets: [{ contextKind: "user", variation: 1, values: ["a"] }] })],
    context: user,
    reference: { reason: { kind: "TARGET_MATCH" } },
    sdk: { reason: { kind: "FALLTHROUGH" } },
  },
  {
    sdkDoes: "read regular expressions as JavaScript does",
    flags: withClauses({ attribute: "key", op: "matches", values: ["(?i)^A$"] }),
    context: user,
    reference: matched,
    sdk: notMatched,
  },
  {
    sdkDoes: "read points in time with more than nine digits behind the second",
    flags: withClauses({ attribute: "date", op: "before", values: ["2024-01-01T00:00:00Z"] }),
    context: { ...user, date: "2023-06-17T00:00:00.1234567890Z" },
    reference: notMatched,
    sdk: matched,
  },
  {
    sdkDoes: "forget what is finer than a millisecond",
    flags: withClauses({ attribute: "date", op: "before", values: ["2024-01-01T00:00:00.0000002Z"] }),
    context: { ...user, date: "2024-01-01T00:00:00.0000001Z" },
    reference: matched,
    sdk: notMatched,
  },
  {
    sdkDoes: "count parts of a millisecond in numbers",
    flags: withClauses({ attribute: "date", op: "after", values: [1] }),
    context: { ...user, date: 1.5 },
    reference: notMatched,
    sdk: matched,
  },
  {
    sdkDoes: "read versions with blanks around them",
    flags: withClauses({ attribute: "version", op: "semVerEqual", values: ["1.2.3"] }),
    context: { ...user, version: " 1.2.3" },
    reference: notMatched,
    sdk: matched,
  },
  {
    sdkDoes: "take null for equal to null within arrays",
    flags: withClauses({ attribute: "list", op: "in", values: [null] }),
    context: { ...user, list: [null] },
    reference: notMatched,
    sdk: matched,
  },
  {
    sdkDoes: "accept a slash at the end of an attribute reference",
    flags: withClauses({ contextKind: "user", attribute: "/key/", op: "in", values: ["a"] }),
    context: user,
    reference: malformed,
    sdk: notMatched,
  },
  {
    sdkDoes: "skip a rule without the member for clauses",
    flags: [flag("flag", { rules: [{ id: "rule", variation: 1 }] })],
    context: user,
    reference: matched,
    sdk: notMatched,
  },
  {
    sdkDoes: "write rule ids that are empty",
    flags: [flag("flag", { rules: [{ id: "", clauses: [], variation: 1 }] })],
    context: user,
    reference: { reason: { kind: "RULE_MATCH", ruleIndex: 0 } },
    sdk: { reason: { kind: "RULE_MATCH", ruleIndex: 0, ruleId: "" } },
  },
  {
    sdkDoes: "list a prerequisite that ended in an error",
    flags: [
      flag("flag", { prerequisites: [{ key: "broken", variation: 0 }] }),
      flag("broken", { rules: [{ clauses: [invalid], variation: 0 }] }),
    ],
    context: user,
    reference: { ...malformed, prerequisites: undefined },
    sdk: { ...malformed, prerequisites: ["broken"] },
  },
  {
    sdkDoes: "fail with a prerequisite that has an invalid variation",
    flags: [
      flag("flag", { prerequisites: [{ key: "broken", variation: 0 }] }),
      flag("broken", { fallthrough: { variation: 9 } }),
    ],
    context: user,
    reference: { reason: { kind: "PREREQUISITE_FAILED", prerequisiteKey: "broken" } },
    sdk: malformed,
  },
  {
    sdkDoes: "prefer built-in attributes of old users to custom ones that come later",
    flags: withClauses({ attribute: "country", op: "in", values: ["custom"] }),
    context: { key: "a", country: "built-in", custom: { country: "custom" } },
    reference: matched,
    sdk: notMatched,
  },
  {
    sdkDoes: "not report a big segment without a generation to contexts without its kind",
    flags: withClauses(inSegment),
    segments: [segment("segment", { unbounded: true, unboundedContextKind: "org" })],
    context: user,
    reference: { reason: { ...notMatched.reason, bigSegmentsStatus: "NOT_CONFIGURED" } },
    sdk: notMatched,
  },
  {
    sdkDoes: "take a generation of 0 for none",
    flags: withClauses(inSegment),
    segments: [segment("segment", { unbounded: true, generation: 0 })],
    bigSegments: true,
    context: user,
    reference: { reason: { ...notMatched.reason, bigSegmentsStatus: "HEALTHY" } },
    sdk: { reason: { ...notMatched.reason, bigSegmentsStatus: "NOT_CONFIGURED" } },
  },
  {
    sdkDoes: "lose the memberships of a context whose key is a member of all objects",
    flags: withClauses({ ...inSegment, values: ["orgs-0", "users-2"] }),
    segments: [
      segment("orgs-0", { unbounded: true, generation: 1, unboundedContextKind: "org" }),
      segment("users-2", { unbounded: true, generation: 1 }),
    ],
    bigSegments: true,
    context: { kind: "multi", user: { key: "constructor" }, org: { key: "o" } },
    reference: { reason: { ...matched.reason, bigSegmentsStatus: "HEALTHY" } },
    sdk: { reason: { ...notMatched.reason, bigSegmentsStatus: "HEALTHY" } },
  },
];

for (const { sdkDoes, flags, segments = [], bigSegments, context: fields, reference, sdk } of quirks) {
  test(`unlike the reference, the SDK is known to ${sdkDoes}`, async () => {
    const data = dataOf(flags, segments);
    const store = bigSegments && createBigSegmentStore("HEALTHY", Object.keys(data.segments));
    const key = String(flags[0]?.key);
    const oracle = await startSdkOracle(data, store);
    const theirs = (await oracle.evaluateAll(fields))[key];
    oracle.close();
    const evaluator = compileFlags(data);
    const context = createContext(fields);
    const fetched = store && fetchBigSegments(evaluator, context, store);
    const ours = JSON.parse(evaluator.evaluateAll(context, { withReasons: true, bigSegments: fetched }))[key];
    expect(pick(ours, reference)).toEqual(reference);
    expect(pick(theirs, sdk)).toEqual(sdk);
  });
}

/** The members that are named in another object. */
function pick(from: unknown, names: object): unknown {
  return Object.fromEntries(Object.keys(names).map((name) => [name, Object(from)[name]]));
}
