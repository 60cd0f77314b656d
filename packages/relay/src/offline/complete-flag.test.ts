import { expect, test } from "vitest";
import { completeFlag, completeSegment } from "./complete-flag.js";

const plain = {
  key: "f",
  version: 1,
  on: true,
  prerequisites: [],
  offVariation: null,
  salt: "f",
  trackEvents: false,
  trackEventsFallthrough: false,
  debugEventsUntilDate: null,
  deleted: false,
  targets: [],
  contextTargets: [],
  rules: [],
  clientSideAvailability: { usingMobileKey: true, usingEnvironmentId: true },
  clientSide: true,
};

test.each([
  [true, [true, false], 0, 1],
  [false, [true, false], 1, 1],
  ["text", ["text"], 0, 0],
  [0, [0], 0, 0],
  [null, [null], 0, 0],
  [[1, 2], [[1, 2]], 0, 0],
])("a flag that is %j gives that to everybody", (value, variations, variation, offVariation) => {
  expect(completeFlag("f", value)).toEqual({
    ...plain,
    variations,
    fallthrough: { variation },
    offVariation,
  });
});

test("what a flag says stays, and what it leaves out, or names with nothing behind it, is there", () => {
  const given = {
    key: "other",
    version: 7,
    on: false,
    variations: [1, 2],
    offVariation: 1,
    salt: null,
    targets: null,
    deleted: true,
    custom: "x",
    rules: [
      { variation: 1, id: "own", clauses: [{ op: "in", values: [1], attribute: "plan", negate: true }] },
      { variation: 0, trackEvents: true, clauses: [{ op: "segmentMatch", values: ["s"] }, 5] },
      "no rule",
    ],
  };
  expect(completeFlag("f", given)).toEqual({
    ...plain,
    key: "other",
    version: 7,
    on: false,
    variations: [1, 2],
    offVariation: 1,
    fallthrough: { variation: 0 },
    deleted: true,
    custom: "x",
    rules: [
      {
        id: "own",
        variation: 1,
        trackEvents: false,
        clauses: [{ op: "in", values: [1], attribute: "plan", negate: true }],
      },
      {
        id: "rule-1",
        variation: 0,
        trackEvents: true,
        clauses: [{ op: "segmentMatch", values: ["s"], attribute: "", negate: false }, 5],
      },
      "no rule",
    ],
  });
  // What is no list is to be reported.
  expect(completeFlag("f", { rules: 5 })).toMatchObject({ rules: 5 });
  expect(completeFlag("f", { rules: [{ clauses: "x" }] })).toMatchObject({ rules: [{ clauses: "x" }] });
});

test.each([
  [{}, { usingMobileKey: true, usingEnvironmentId: true }, true],
  [{ clientSide: null }, { usingMobileKey: true, usingEnvironmentId: true }, true],
  [{ clientSideAvailability: null }, { usingMobileKey: true, usingEnvironmentId: true }, true],
  [
    { clientSideAvailability: null, clientSide: false },
    { usingMobileKey: true, usingEnvironmentId: false },
    false,
  ],
  [{ clientSide: true }, { usingMobileKey: true, usingEnvironmentId: true }, true],
  [{ clientSide: false }, { usingMobileKey: true, usingEnvironmentId: false }, false],
  [{ clientSideAvailability: { usingMobileKey: true } }, { usingMobileKey: true }, false],
  [
    { clientSide: true, clientSideAvailability: { usingEnvironmentId: false } },
    { usingEnvironmentId: false },
    false,
  ],
  [{ clientSideAvailability: { usingEnvironmentId: "yes" } }, { usingEnvironmentId: "yes" }, false],
  [{ clientSideAvailability: 5 }, 5, false],
])("with %j a flag is available to %j, to browsers: %s", (given, clientSideAvailability, clientSide) => {
  expect(completeFlag("f", given)).toMatchObject({ clientSideAvailability, clientSide });
});

test("a segment is whole", () => {
  expect(completeSegment("s", {})).toEqual({
    key: "s",
    version: 1,
    included: [],
    excluded: [],
    salt: "s",
    deleted: false,
    includedContexts: [],
    excludedContexts: [],
    rules: [],
  });
  const rules = [{ clauses: [{ op: "in" }] }, { id: "own" }];
  const lists = { included: ["a"], includedContexts: [1], excludedContexts: [2] };
  const given = { ...lists, excluded: null, salt: "x", deleted: true, rules };
  expect(completeSegment("s", given)).toMatchObject({
    ...lists,
    excluded: [],
    salt: "x",
    deleted: true,
    rules: [
      { id: "rule-0", clauses: [{ op: "in", attribute: "", negate: false }] },
      { id: "own", clauses: [] },
    ],
  });
});
