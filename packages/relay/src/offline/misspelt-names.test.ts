import { describe, expect, test } from "vitest";
import type { Fields } from "../fields.js";
import { misspeltNames } from "./misspelt-names.js";
import { flagShape, segmentShape } from "./part-shapes.js";

const rollout = ["kind", "contextKind", "bucketBy", "seed", "variations"];
const share = ["variation", "weight", "untracked"];
const clause = ["contextKind", "attribute", "op", "values", "negate"];

/** The members of each part of a flag, and of a segment, as the protocol names them. */
const ofFlags: readonly (readonly [place: string, names: readonly string[]])[] = [
  [
    "",
    [
      ..."key version on offVariation variations clientSide salt trackEvents trackEventsFallthrough".split(
        " ",
      ),
      ..."debugEventsUntilDate deleted samplingRatio excludeFromSummaries prerequisites targets".split(" "),
      ..."contextTargets rules fallthrough clientSideAvailability migration".split(" "),
    ],
  ],
  ["prerequisites.0", ["key", "variation"]],
  ["targets.0", ["contextKind", "values", "variation"]],
  ["contextTargets.0", ["contextKind", "values", "variation"]],
  ["rules.0", ["id", "variation", "trackEvents", "clauses", "rollout"]],
  ["rules.0.clauses.0", clause],
  ["rules.0.rollout", rollout],
  ["rules.0.rollout.variations.0", share],
  ["fallthrough", ["variation", "rollout"]],
  ["fallthrough.rollout", rollout],
  ["fallthrough.rollout.variations.0", share],
  ["clientSideAvailability", ["usingMobileKey", "usingEnvironmentId"]],
  ["migration", ["checkRatio"]],
];
const ofSegments: typeof ofFlags = [
  [
    "",
    [
      ..."key version included excluded salt unbounded unboundedContextKind generation deleted".split(" "),
      ..."includedContexts excludedContexts rules".split(" "),
    ],
  ],
  ["includedContexts.0", ["contextKind", "values"]],
  ["excludedContexts.0", ["contextKind", "values"]],
  ["rules.0", ["id", "weight", "bucketBy", "rolloutContextKind", "clauses"]],
  ["rules.0.clauses.0", clause],
];

const pathOf = (place: string) => (place === "" ? [] : place.split("."));

/** An item with these members at a place. */
function itemWith(place: string, members: Fields): Fields {
  return pathOf(place).reduceRight<unknown>(
    (inner, name) => (name === "0" ? [inner] : { [name]: inner }),
    members,
  ) as Fields;
}

describe.each([
  { what: "a flag", shape: flagShape, parts: ofFlags },
  { what: "a segment", shape: segmentShape, parts: ofSegments },
])("in $what", ({ shape, parts }) => {
  for (const [place, names] of parts) {
    test.each(names)(`at ${place || "the top"}, %s is a name, and what is nearly that is none`, (name) => {
      expect([...misspeltNames(itemWith(place, { [name]: 1 }), shape)]).toEqual([]);
      const wrong = `${name}z`;
      expect([...misspeltNames(itemWith(place, { [wrong]: 1 }), shape)]).toEqual([
        { path: [...pathOf(place), wrong], message: `there is no ${wrong}; is it ${name}?` },
      ]);
    });
  }
});

test("what is far from every name may come with later protocols, and what is in it is not looked at", () => {
  const item = { aspects: { variaton: 1 }, variations: [{ variaton: 1 }], toString: { variaton: 1 } };
  expect([...misspeltNames(item, flagShape)]).toEqual([]);
});
