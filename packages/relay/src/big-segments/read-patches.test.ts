import { expect, test } from "vitest";
import { readPatches } from "./read-patches.js";

const nothing = { add: [], remove: [] };
const patch = { segmentId: "s.g1", previousVersion: "v1", version: "v2" };
const read = { ...patch, included: nothing, excluded: nothing };

test.each<[string, object, object]>([
  ["nothing changes", patch, read],
  ["nothing changes, in more words", { ...patch, changes: null }, read],
  ["lists that are not there", { ...patch, changes: { included: null, excluded: {} } }, read],
  ["lists of nothing", { ...patch, changes: { included: { add: null, remove: [] } } }, read],
  ["no version before it", { ...patch, previousVersion: undefined }, { ...read, previousVersion: "" }],
  ["null before it", { ...patch, previousVersion: null }, { ...read, previousVersion: "" }],
  [
    "everything",
    {
      ...patch,
      environmentId: "e",
      changes: { included: { add: ["a"], remove: ["b"] }, excluded: { add: ["c", "d"], remove: ["e"] } },
    },
    { ...patch, included: { add: ["a"], remove: ["b"] }, excluded: { add: ["c", "d"], remove: ["e"] } },
  ],
])("valid: %s", (_name, given, expected) => {
  expect(readPatches(JSON.stringify([given, given]))).toEqual([expected, expected]);
});

test.each<[unknown, string]>([
  [{}, "they are not a list"],
  [[null], "a patch is not an object"],
  [[[patch]], "a patch is not an object"],
  [[{ ...patch, segmentId: undefined }], '"segmentId" is not a text'],
  [[{ ...patch, version: undefined }], '"version" is not a text'],
  [[{ ...patch, version: "" }], "a patch leads to a version without a name"],
  [[{ ...patch, previousVersion: 7 }], '"previousVersion" is not a text'],
  [[patch, { ...patch, changes: "all" }], "changes is not an object"],
  [[{ ...patch, changes: { excluded: [] } }], "changes is not an object"],
  [[{ ...patch, changes: { excluded: { remove: "a" } } }], '"remove" is not a list'],
  [[{ ...patch, changes: { included: { add: ["a", null] } } }], '"add" is not a text'],
])("invalid: %j", (given, message) => {
  expect(() => readPatches(JSON.stringify(given))).toThrow(`patches of upstream: ${message}`);
});

test("invalid: no JSON", () => {
  expect(() => readPatches("[")).toThrow("patches of upstream: they are not JSON");
});
