import { RuntimeArtifact } from "@wye/pipeline-spec";
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
