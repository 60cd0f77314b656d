import { RuntimeArtifact, readJson } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { ExactNumbers } from "./exact-numbers.js";

const written = "9007199254740993";
const read = 9_007_199_254_740_992;

test.each<[object | undefined, object | undefined]>([
  [{ n: read }, undefined],
  [undefined, { n: read }],
  [{ deep: [null, { n: read }, null] }, {}],
  [{ n: null }, { deep: [1, [read]], other: null }],
])("an integer in metadata that becomes another is found beside %j and %j", (first, second) => {
  const numbers = new ExactNumbers();
  numbers.in(undefined);
  numbers.in(`{"n":${written}}`);
  const artifacts = [first, second].map((metadata) => RuntimeArtifact.create({ metadata }));
  expect(numbers.lostInMetadata({ good: { artifacts: [] }, a: { artifacts } })).toEqual([
    `the metadata of its output artifact a holds the integer ${written}, which becomes ${read}`,
  ]);
  expect(numbers.lostInMetadata({ a: { artifacts: artifacts.slice(2) } })).toEqual([]);
});

test("numbers that nobody has written are as they are", () => {
  const artifacts = [RuntimeArtifact.create({ metadata: { n: read } })];
  expect(new ExactNumbers().lostInMetadata({ a: { artifacts } })).toEqual([]);
});

test.each([
  ["NUMBER_INTEGER", true],
  ["STRUCT", true],
  ["LIST", true],
  ["NUMBER_DOUBLE", false],
])("an integer that is lost in a value of type %s is wrong: %s", (parameterType, isWrong) => {
  const numbers = new ExactNumbers();
  numbers.in(`{"a": ${written}}`);
  const parsed = readJson("ComponentSpec", {
    outputDefinitions: { parameters: { first: { parameterType: "STRING" }, a: { parameterType } } },
  });
  const spec = parsed.ok ? parsed.value : expect.unreachable(parsed.problems[0]?.message);
  const message = numbers.lostIn(spec, { first: written, a: read });
  const why = `its output parameter a holds the integer ${written}, which would become ${read}`;
  expect(message).toBe(isWrong ? `${why}: larger ones than 2^53 - 1 are texts (STRING)` : undefined);
});
