import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clauseOperators } from "@wye/flag-evaluator";
import { describe, expect, test } from "vitest";
import { isRelayError } from "../src/error.js";
import { checkOfflineFile } from "../src/offline/check-offline-file.js";
import { makeFolder } from "./start-offline.js";

const keys = { sdkKey: "sdk-dev" };
const all = clauseOperators.join(", ");

/** What the check says of a text: the line and the sentence of each mistake. */
async function mistakesIn(text: string): Promise<readonly string[]> {
  const path = join(await makeFolder(), "flags.yaml");
  await writeFile(path, text);
  try {
    return (await checkOfflineFile(path, { keys })).problems;
  } catch (error) {
    if (!isRelayError(error) || error.code !== "malformed_data") throw error;
    return error.problems.map((problem) => problem.slice(path.length));
  }
}

/** The lines of a flag `f` with two variations, the first of which is line 4, and what is said of them. */
const ofFlags: Readonly<Record<string, readonly [lines: string, says: readonly string[]]>> = {
  "a clause that is called so": [
    `rules:
  - clause: [{ attribute: plan, op: in, values: [beta] }]
    variation: 1`,
    [
      ":5: a rule needs clauses; what holds for everybody is the fallthrough",
      ":5: there is no clause; is it clauses?",
    ],
  ],
  "a rule without clauses": [
    "rules: [{ variation: 1, clauses: [] }]",
    [":4: a rule needs clauses; what holds for everybody is the fallthrough"],
  ],
  "an operator that there is not": [
    `rules:
  - variation: 1
    clauses:
      - { attribute: plan, op: equals, values: [pro] }
      - { attribute: plan, op: matchs, values: [pro] }
      - { attribute: plan, op: semVerEqal, values: ["2"] }
      - { attribute: plan, values: [pro] }`,
    [
      `:7: there is no operator "equals"; there are ${all}`,
      ':8: there is no operator "matchs"; is it matches?',
      ':9: there is no operator "semVerEqal"; is it semVerEqual?',
      `:10: a clause needs an op: ${all}`,
    ],
  ],
  "members of clauses that are left out": [
    `rules:
  - variation: 1
    clauses:
      - { op: in, values: [a] }
      - { attribute: plan, op: in }
      - { attribute: plan, op: in, value: [a] }
      - { atribute: plan, op: in, values: [a] }
      - { op: segmentMatch }`,
    [
      ":7: a clause needs the attribute that it compares, as in `attribute: key`",
      ":8: a clause needs values, a list",
      ":9: a clause needs values, a list",
      ":9: there is no value; is it values?",
      ":10: a clause needs the attribute that it compares, as in `attribute: key`",
      ":10: there is no atribute; is it attribute?",
      ":11: a clause needs values, a list",
    ],
  ],
  "values that an operator cannot compare with": [
    `rules:
  - variation: 1
    clauses:
      - { attribute: mail, op: matches, values: ["^a(b", ok] }
      - { attribute: age, op: lessThan, values: ["18"] }
      - { attribute: seen, op: before, values: [2027-01-31] }
      - { attribute: version, op: semVerLessThan, values: [2.1] }
      - { attribute: list, op: in, values: [[a]] }
      - { op: segmentMatch, values: [team, 5] }`,
    [
      ':7: "^a(b" is no regular expression: it leaves a group open',
      ':8: "18" is no number',
      ':9: "2027-01-31" is neither milliseconds since 1970 nor a time like 2027-01-31T18:00:00Z',
      ":10: 2.1 is no version like 2.1.0",
      ':11: ["a"] equals nothing',
      ":12: 5 is no key of a segment",
      ':12: there is no segment "team"',
    ],
  ],
  "weights of percent": [
    "fallthrough: { rollout: { variations: [{ variation: 0, weight: 50 }, { variation: 1, weight: 50 }] } }",
    [":4: the weights add up to 100; they must add up to 100000: one percent is 1000"],
  ],
  "shares that are none": [
    `fallthrough:
  rollout:
    kind: experimnt
    variations:
      - { weight: 100001 }
      - { variation: 2, weight: -1 }
      - { variation: 0 }
      - { variation: 0, weihgt: 0.5, weight: 0.5 }`,
    [
      ":6: a rollout is of the kind rollout or experiment, not experimnt",
      ":7: the weights add up to 100000.5; they must add up to 100000: one percent is 1000",
      ":8: a share of a rollout needs a variation",
      ":8: a weight is a whole number from 0 to 100000, not 100001",
      ":9: there is no variation 2; there is 0 to 1",
      ":9: a weight is a whole number from 0 to 100000, not -1",
      ":10: a share of a rollout needs a weight",
      ":11: there is no weihgt; is it weight?",
      ":11: a weight is a whole number from 0 to 100000, not 0.5",
    ],
  ],
  "a rollout without shares": [
    `fallthrough: { rollout: { variation: [] } }
rules: [{ rollout: { variations: [] }, clauses: [{ attribute: key, op: in, values: [a] }] }]`,
    [
      ":4: there is no variation; is it variations?",
      ":4: a rollout needs variations, each with its weight",
      ":5: a rollout needs variations, each with its weight",
    ],
  ],
  "a rollout that is none": [
    "fallthrough: { rollout: 5 }",
    [":4: it needs a variation or a rollout", ":4: /fallthrough/rollout: expected an object, got a number"],
  ],
  "a variation between two": [
    `fallthrough: { variation: 0.5 }
offVariation: 1.5`,
    [":4: there is no variation 0.5; there is 0 to 1", ":5: there is no variation 1.5; there is 0 to 1"],
  ],
  "what a flag that is off would give": [
    `on: false
offVariation: 2`,
    [":5: there is no variation 2; there is 0 to 1"],
  ],
  "targets without what they need": [
    `targets: [{ value: [alice], variation: 1 }]
contextTargets: [{ contextKind: org, values: [] }, { contextkind: org, values: [a], variation: 1 }]`,
    [
      ":4: a target needs values, the list of keys",
      ":4: there is no value; is it values?",
      ":5: a target needs a variation",
      ":5: there is no contextkind; is it contextKind?",
    ],
  ],
  "names in other parts": [
    `clientSideAvailability: { usingMobilKey: true }
fallthrough: { variaton: 1 }
prerequisites: [{ flag: f }]`,
    [
      ":4: there is no usingMobilKey; is it usingMobileKey?",
      ":5: it needs a variation or a rollout",
      ":5: there is no variaton; is it variation?",
      ":6: a prerequisite needs a variation",
      ":6: a prerequisite needs the key of a flag",
    ],
  ],
  "the first one behind the last": [
    `fallthrough: { variation: 2 }
offVariation: 2
targets: [{ variation: 2, values: [] }]
contextTargets: [{ variation: -1, values: [] }]
prerequisites: [{ key: f2, variation: 0 }, { key: 5, variation: 0 }]
rules: [{ variation: 2, rollout: { kind: 5, variations: [] }, clauses: [] }]`,
    [
      ":4: there is no variation 2; there is 0 to 1",
      ":5: there is no variation 2; there is 0 to 1",
      ":6: there is no variation 2; there is 0 to 1",
      ":7: there is no variation -1; there is 0 to 1",
      ':8: there is no flag "f2"',
      ":8: /prerequisites/1/key: expected a string, got a number",
      ":9: there is no variation 2; there is 0 to 1",
      ":9: a rule needs clauses; what holds for everybody is the fallthrough",
      ":9: a rollout needs variations, each with its weight",
      ":9: /rules/0/rollout/kind: expected a string, got a number",
    ],
  ],
  "values that are long": [
    `rules: [{ variation: 0, clauses: [{ op: segmentMatch, values: [${"a".repeat(98)}, ${"b".repeat(99)}] }] }]`,
    [`:4: there is no segment "${"a".repeat(98)}"`, `:4: there is no segment "${"b".repeat(99)}…`],
  ],
  "parts that are null": [
    `fallthrough:
targets: [{ variation: null, values: null }, 5]
prerequisites: [{ key: null, variation: null }]
rules: [{ variation: null, clauses: [{ op: null, attribute: "", values: null }, 5] }]
x: { rollout: null }`,
    [
      ":5: /targets/1: expected an object, got a number",
      ":5: a target needs a variation",
      ":5: a target needs values, the list of keys",
      ":6: a prerequisite needs a variation",
      ":6: a prerequisite needs the key of a flag",
      ":7: /rules/0/clauses/1: expected an object, got a number",
      `:7: a clause needs an op: ${all}`,
      ":7: a clause needs the attribute that it compares, as in `attribute: key`",
      ":7: a clause needs values, a list",
      ":7: it needs a variation or a rollout",
    ],
  ],
  "a number that JSON has not": ["offVariation: .inf", [":4: .inf is no number that JSON has"]],
};

describe("mistakes in flags are told with line and flag", () => {
  for (const [name, [lines, says]] of Object.entries(ofFlags))
    test(name, async () => {
      const text = `flags:\n  f:\n    variations: [a, b]\n${lines.replaceAll(/^/gm, "    ")}\n`;
      const told = await mistakesIn(text);
      expect(told.map((sentence) => sentence.replace(' flag "f":', "")).sort()).toEqual([...says].sort());
    });
});

const ofFiles: Readonly<Record<string, readonly [text: string, says: readonly string[]]>> = {
  "a second document": [
    "flags: { a: 1 }\n---\nflags: { b: 2 }\n",
    [":2: a second document begins here; there may be one"],
  ],
  "variations that are no list, beside a mistake of the flag's own": [
    "flags:\n  a:\n    variations: 1\n    offVariaton: 0\n",
    [
      ':2: flag "a": it needs variations, a list of the values that it may give',
      ':3: flag "a": /variations: expected an array, got a number',
      ':4: flag "a": there is no offVariaton; is it offVariation?',
    ],
  ],
  "no variations at all, of which nothing can be one": [
    "flags:\n  a:\n    offVariation: 0\n    fallthrough: { variation: 0 }\n    variations: []\n",
    [':5: flag "a": there must be one at least'],
  ],
  "a prerequisite whose variations are no list": [
    "flags:\n  a: { variations: 5 }\n  b: { variations: [1], prerequisites: [{ key: a, variation: 0 }] }\n",
    [
      ':2: flag "a": /variations: expected an array, got a number',
      ':2: flag "a": it needs variations, a list of the values that it may give',
    ],
  ],
  "a value in the place of a list": [
    "flags:\n  a:\n    variations: [1]\n    rules: 5\n",
    [':4: flag "a": /rules: expected an array, got a number'],
  ],
  "prerequisites in a circle": [
    `flags:
  a: { variations: [1], prerequisites: [{ key: b, variation: 0 }] }
  b:
    variations: [1]
    prerequisites:
      - { key: a, variation: 0 }
  c: { variations: [1], prerequisites: [{ key: c, variation: 0 }] }`,
    [
      ':2: flag "a": its prerequisites lead back to it: "a", "b", "a"',
      ':7: flag "c": its prerequisites lead back to it: "c", "c"',
    ],
  ],
  "segments in a circle": [
    `segments:
  a:
    rules: [{ clauses: [{ op: segmentMatch, values: [b] }] }]
  b: { rules: [{ clauses: [{ op: segmentMatch, values: [a] }] }] }`,
    [':3: segment "a": its rules lead back to it: "a", "b", "a"'],
  ],
  "rules of segments": [
    `segments:
  a:
    rules:
      - clauses: [{ op: segmentMatch, values: [z] }]
      - { clause: [] }
      - { clauses: [], weight: 5 }
      - { clauses: [{ attribute: key, op: is, values: [a] }], weigth: 1000 }
      - { weight: 100001 }
      - { clauses: [], weight: null }
    includedContexts:
      - { contextKind: org }
      - { contextKind: org, values: null }`,
    [
      ':4: segment "a": there is no segment "z"',
      ':5: segment "a": there is no clause; is it clauses?',
      ':5: segment "a": a rule needs clauses, or a weight',
      ':7: segment "a": there is no weigth; is it weight?',
      ':7: segment "a": there is no operator "is"; is it in?',
      ':8: segment "a": a weight is a whole number from 0 to 100000, not 100001',
      ':9: segment "a": a rule needs clauses, or a weight',
      ':11: segment "a": it needs values, the list of keys',
      ':12: segment "a": it needs values, the list of keys',
    ],
  ],
  "members that stand in lines of their own": [
    `flags:
  other: { variations: [a] }
  f:
    variations: [a, b]
    offVariation: 7
    fallthrough:
      rollout:
        bucketBy: key
        kind: other
        variations:
          - weight: 50000
            variation: 7
          - variation: 0
            weight: 50000.5
    targets:
      - values: [a]
        variation: 7
    contextTargets:
      - values: [a]
        contextKind: org
        variation: 8
    prerequisites:
      - variation: 0
        key: none
      - key: other
        variation: 1
    rules:
      - id: a
        clauses:
          - attribute: key
            values:
              - a
            op: is
          - attribute: age
            op: lessThan
            values:
              - 1
              - x
        variation: 9
      - clauses:
          - op: segmentMatch
            values:
              - none
        rollout:
          seed: 1
          variations:
            - weight: 100000
              variation: 9
segments:
  s:
    rules:
      - clauses: []
        weight: 1.5
      - clauses:
          - attribute: key
            op: is
            values: [a]
    includedContexts:
      - contextKind: org
    excludedContexts:
      - values: [a]
      - contextKind: org`,
    [
      ':5: flag "f": there is no variation 7; there is 0 to 1',
      ':9: flag "f": a rollout is of the kind rollout or experiment, not other',
      ':10: flag "f": the weights add up to 100000.5; they must add up to 100000: one percent is 1000',
      ':12: flag "f": there is no variation 7; there is 0 to 1',
      ':14: flag "f": a weight is a whole number from 0 to 100000, not 50000.5',
      ':17: flag "f": there is no variation 7; there is 0 to 1',
      ':21: flag "f": there is no variation 8; there is 0 to 1',
      ':24: flag "f": there is no flag "none"',
      ':26: flag "f": there is no variation 1; there is 0',
      ':33: flag "f": there is no operator "is"; is it in?',
      ':38: flag "f": "x" is no number',
      ':39: flag "f": there is no variation 9; there is 0 to 1',
      ':43: flag "f": there is no segment "none"',
      ':48: flag "f": there is no variation 9; there is 0 to 1',
      ':53: segment "s": a weight is a whole number from 0 to 100000, not 1.5',
      ':56: segment "s": there is no operator "is"; is it in?',
      ':59: segment "s": it needs values, the list of keys',
      ':62: segment "s": it needs values, the list of keys',
    ],
  ],
  "in JSON, with the line inside of lists": [
    `{ "flags": { "f": {
  "variations": ["a", "b"],
  "rules": [
    { "variation": 0, "clauses": [ { "attribute": "key", "op": "in", "values": ["a,]}"] } ] },
    { "variation": 1,
      "clauses": [
        { "attribute": "key", "op": "in", "values": ["b"] },
        { "attribute": "key", "op": "on", "values": ["b"] } ] } ] } } }`,
    [':8: flag "f": there is no operator "on"; is it in?'],
  ],
  "values that are not held": [
    "a: .inf\nb: -.inf\nc: .nan\nd: 9007199254740993\ne: [-9007199254740993]\nf: !env SECRET\ng: 1e400",
    [
      ":1: .inf is no number that JSON has",
      ":2: -.inf is no number that JSON has",
      ":3: .nan is no number that JSON has",
      ":4: 9007199254740993 would become 9007199254740992: put it into quotes",
      ":5: -9007199254740993 would become -9007199254740992: put it into quotes",
      ":6: Unresolved tag: !env",
      ":7: 1e400 is no number that JSON has",
    ],
  ],
  "types that JSON has not": [
    "flags: !!omap\n  - a: true\n  - b: !!set { x, y }\n",
    [":2: !!omap is nothing that flags are made of", ":3: !!set is nothing that flags are made of"],
  ],
  "values that are not held, in JSON": [
    '{\n"a": 1e999,\n"b": "1e999 and 9007199254740993",\n"c": [{"x": -9007199254740993}],\n"d": 9007199254740992\n}',
    [
      ":2: 1e999 is no number that JSON has",
      ":4: -9007199254740993 would become -9007199254740992: put it into quotes",
    ],
  ],
  "a great number in JSON, with a large E": ['{"a": 1E400}', [":1: 1E400 is no number that JSON has"]],
  "a great number in JSON, with a plus": ['{"a": 1e+400}', [":1: 1e+400 is no number that JSON has"]],
  "members that are there twice, in JSON, in flags of environments and no deeper": [
    '{"environments": {"x": {"sdkKey": "s", "flags": {"f": {"variations": [1],\n"fallthrough": {"variation": 0, "variation": 0},\n"on": true,\n"on": false}}}}}',
    [':4: "on" is there twice'],
  ],
  "JSON with a comment": [
    '{\n  "new-checkout": true, // for everybody\n  "greeting": "hello"\n}',
    [":2: JSON has no comments; YAML has, after a #"],
  ],
  "JSON with a word that is cut off": [
    '{"a": true,\n"b": tru}',
    [
      ":2: a value has to stand here: true, false, null, a number, text in double quotes, an object or a list",
    ],
  ],
  "JSON behind blanks and lines": [
    '\n\n  {"a": 1 "b": 2}',
    [":3: a comma, or the end of what is open, has to stand here"],
  ],
  "JSON without its braces": [
    '"a": true,\n"b": false',
    [":1: true, is text with a comma at its end: take the comma away, or put it in quotes"],
  ],
};

describe("mistakes that lead beyond a flag", () => {
  for (const [name, [text, says]] of Object.entries(ofFiles))
    test(name, async () => {
      expect([...(await mistakesIn(text))].sort()).toEqual([...says].sort());
    });
});

test("what is right is left alone, whatever it looks like", async () => {
  const text = `
flags:
  big: 9007199254740992
  bigger: 1e+21
  exact: 18014398509481984
  hex: 0xff
  text: "9007199254740993"
  anything:
    variations: [{ clause: 1, weigth: 2 }, { op: equals }]
    rules:
      - clauses: [{ attribute: key, op: in, values: [] }, { attribute: age, op: lessThan, values: [1, 2.5] }]
        rollout: { variations: [{ variation: 0, weight: 33333 }, { variation: 1, weight: 66667 }] }
        ref: later
      - clauses: [{ attribute: key, op: in, values: [a] }]
        rollout: { kind: rollout, variations: [{ variation: 0, weight: 0 }, { variation: 1, weight: 100000 }] }
    fallthrough:
      rollout: { kind: experiment, seed: 5, variations: [{ variation: 0, weight: 100000, untracked: true }] }
    offVariation: 1
    contextTargets: [{ contextKind: user, variation: 0, values: [] }]
    targets: [{ variation: 0, values: [alice] }]
    aspect: { variaton: 1 }
  first: { variations: [1], prerequisites: [{ key: third, variation: 0 }, { key: second, variation: 0 }] }
  second: { variations: [1], prerequisites: [{ key: third, variation: 0 }] }
  third: { variations: [1] }
segments:
  some: { rules: [{ weight: 1000 }, { weight: 0 }, { weight: 100000, clauses: [] }, { clauses: [{ op: segmentMatch, values: [others] }] }] }
  others: { included: [alice] }
`;
  expect(await mistakesIn(text)).toEqual([]);
});

test("an alias counts for what it stands for, and not for what stands before it", async () => {
  const pairs = Array.from({ length: 40 }, (_, n) => `a${n}: &a${n} x\nb${n}: *a${n}\n`);
  expect(await mistakesIn(pairs.join(""))).toEqual([]);
});

test("a number that is not held is found where the text is cut into pieces to look for one", async () => {
  const number = "9007199254740993";
  for (const before of [1024 * 1024 - 9, 1024 * 1024 - 1, 2 * 1024 * 1024 - 16]) {
    const text = `{"a":"${"x".repeat(before - 13)}","b":${number}}`;
    expect(text.indexOf(number)).toBeLessThan(before);
    expect(await mistakesIn(text)).toEqual([
      `:1: ${number} would become 9007199254740992: put it into quotes`,
    ]);
  }
});
