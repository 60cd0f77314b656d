import { describe, expect, test } from "vitest";
import { completeItem } from "./complete-item.js";

const emptyFlag = {
  key: undefined,
  on: false,
  prerequisites: [],
  targets: [],
  contextTargets: [],
  rules: [],
  fallthrough: {},
  offVariation: null,
  variations: [],
  clientSide: false,
  salt: "",
  trackEvents: false,
  trackEventsFallthrough: false,
  debugEventsUntilDate: null,
  version: 0,
  deleted: false,
};
const emptySegment = {
  key: undefined,
  included: [],
  excluded: [],
  includedContexts: [],
  excludedContexts: [],
  salt: "",
  rules: [],
  version: 0,
  generation: null,
  deleted: false,
};

const clause = { contextKind: "org", attribute: "a", op: "in", values: [1], negate: true };
const emptyClause = { attribute: "", op: undefined, values: [], negate: false };
const share = { variation: 1, weight: 5, untracked: true };
const rollout = { kind: "experiment", contextKind: "org", variations: [share], seed: 7, bucketBy: "b" };
const emptyRollout = { variations: [] };

const fullFlag = {
  key: "f",
  on: true,
  prerequisites: [{ key: "g", variation: 1 }],
  targets: [{ contextKind: "user", variation: 0, values: ["u"] }],
  contextTargets: [{ contextKind: "org", variation: 1, values: ["o"] }],
  rules: [
    { id: "r1", variation: 1, clauses: [clause], trackEvents: true },
    { rollout, clauses: [], trackEvents: false },
  ],
  fallthrough: { rollout },
  offVariation: 1,
  variations: ["a", "b"],
  clientSideAvailability: { usingMobileKey: false, usingEnvironmentId: true },
  clientSide: true,
  salt: "s",
  trackEvents: true,
  trackEventsFallthrough: true,
  debugEventsUntilDate: 5,
  version: 3,
  deleted: true,
  migration: { checkRatio: 1 },
  samplingRatio: 2,
  excludeFromSummaries: true,
};
const fullSegment = {
  key: "s",
  included: ["a"],
  excluded: ["b"],
  includedContexts: [{ contextKind: "org", values: ["o"] }],
  excludedContexts: [{ contextKind: "org", values: ["p"] }],
  salt: "x",
  rules: [{ id: "r", clauses: [clause], weight: 5, bucketBy: "b", rolloutContextKind: "org" }],
  unbounded: true,
  unboundedContextKind: "org",
  version: 3,
  generation: 2,
  deleted: true,
};

describe("an item has all properties", () => {
  test("of which none is left out stays as it is, but for what nobody knows", () => {
    expect(completeItem("flags", { ...fullFlag, other: 1 })).toStrictEqual(fullFlag);
    expect(completeItem("segments", { ...fullSegment, other: 1 })).toStrictEqual(fullSegment);
  });

  test.each([undefined, null, 5, "a", [], {}])("with their defaults, of %j", (item) => {
    expect(completeItem("flags", item)).toStrictEqual(emptyFlag);
    expect(completeItem("segments", item)).toStrictEqual(emptySegment);
  });

  test("where those are null, or of another type", () => {
    const nulls = (item: object) => Object.fromEntries(Object.keys(item).map((name) => [name, null]));
    expect(completeItem("flags", nulls(fullFlag))).toStrictEqual({ ...emptyFlag, key: null });
    expect(completeItem("segments", nulls(fullSegment))).toStrictEqual({ ...emptySegment, key: null });
    const lists = {
      prerequisites: {},
      targets: "a",
      contextTargets: 5,
      rules: {},
      variations: "b",
      fallthrough: [],
    };
    expect(completeItem("flags", lists)).toStrictEqual(emptyFlag);
    const others = { included: {}, excluded: "a", includedContexts: 5, excludedContexts: {}, rules: "x" };
    expect(completeItem("segments", others)).toStrictEqual(emptySegment);
  });
});

test.each([
  [{ rules: [{}, 5] }, { rules: Array(2).fill({ clauses: [], trackEvents: false }) }],
  [{ rules: [{ id: "", variation: 0 }] }, { rules: [{ variation: 0, clauses: [], trackEvents: false }] }],
  [
    { rules: [{ clauses: [{}, null] }] },
    { rules: [{ clauses: [emptyClause, emptyClause], trackEvents: false }] },
  ],
  [{ fallthrough: { variation: 0 } }, { fallthrough: { variation: 0 } }],
  [{ fallthrough: { variation: 0, rollout: {} } }, { fallthrough: { rollout: emptyRollout } }],
  [
    { fallthrough: { rollout: { kind: "", seed: null, bucketBy: "", variations: [{}, 5] } } },
    { fallthrough: { rollout: { variations: Array(2).fill({ variation: undefined, weight: undefined }) } } },
  ],
  [
    { fallthrough: { rollout: { variations: [{ variation: 0, weight: 1, untracked: false }] } } },
    { fallthrough: { rollout: { variations: [{ variation: 0, weight: 1 }] } } },
  ],
  [{ targets: [{ variation: 1 }] }, { targets: [{ variation: 1, values: [] }] }],
  [{ contextTargets: [{ contextKind: "" }] }, { contextTargets: [{ variation: undefined, values: [] }] }],
  [{ clientSide: true }, { clientSide: true }],
  [
    { clientSideAvailability: {}, clientSide: true },
    { clientSideAvailability: {}, clientSide: false },
  ],
  [
    { clientSideAvailability: { usingEnvironmentId: true } },
    { clientSideAvailability: { usingEnvironmentId: true }, clientSide: true },
  ],
  [{ samplingRatio: 0, excludeFromSummaries: false }, { samplingRatio: 0 }],
])("the parts of a flag are completed: %j", (flag, completed) => {
  expect(completeItem("flags", flag)).toStrictEqual({ ...emptyFlag, ...completed });
});

test.each([
  [{ rules: [{}, 5] }, { rules: Array(2).fill({ id: "", clauses: [] }) }],
  [
    { rules: [{ clauses: [{}], weight: 0, bucketBy: "", rolloutContextKind: null }] },
    { rules: [{ id: "", clauses: [emptyClause], weight: 0 }] },
  ],
  [{ unbounded: false, unboundedContextKind: "" }, {}],
])("the parts of a segment are completed: %j", (segment, completed) => {
  expect(completeItem("segments", segment)).toStrictEqual({ ...emptySegment, ...completed });
});
