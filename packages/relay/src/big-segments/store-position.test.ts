import { expect, test } from "vitest";
import type { BigSegmentPatch } from "./big-segment-store.js";
import { StorePosition } from "./store-position.js";

const none = { add: [], remove: [] };

/** Steps through these versions. */
function stepsThrough(...versions: readonly string[]): readonly BigSegmentPatch[] {
  return versions.slice(1).map((version, index) => ({
    segmentId: "beta.g1",
    previousVersion: versions[index] ?? "",
    version,
    included: none,
    excluded: none,
  }));
}

/** Where a store was found, and whether it is behind then. */
type Finding = readonly [found: string | undefined, isBehind: boolean];

test.each<[string, (position: StorePosition) => unknown, readonly Finding[]]>([
  ["nothing is known of it", () => {}, [["v7", false]]],
  ["it stands where it was left", () => {}, [[undefined, false]]],
  ["it goes back", move("v1", "v2", "v3"), [["v1", true]]],
  [
    "it goes back further",
    move("v1", "v2", "v3"),
    [
      ["v2", true],
      ["v1", true],
    ],
  ],
  ["it is emptied", move("v1"), [[undefined, true]]],
  [
    "it is emptied after it went back",
    move("v1", "v2"),
    [
      ["v1", true],
      [undefined, true],
    ],
  ],
  [
    "others bring it back step by step",
    move("v1", "v2", "v3"),
    [
      ["v1", true],
      ["v2", true],
      ["v3", false],
    ],
  ],
  ["others bring it further", move("v1", "v2"), [["v5", false]]],
  [
    "others bring it further after it went back",
    move("v1", "v2"),
    [
      ["v1", true],
      ["v5", false],
    ],
  ],
])("when %s", (_, before, findings) => {
  const position = new StorePosition();
  before(position);
  for (const [found, isBehind] of findings) {
    position.find(found, []);
    expect(position).toMatchObject({ version: found, isBehind });
  }
});

function move(...versions: readonly string[]): (position: StorePosition) => void {
  return (position) => {
    for (const version of versions) position.move(version);
  };
}

test("a store that has caught up is not behind, and may be again", () => {
  const position = new StorePosition();
  move("v1", "v2")(position);
  expect(position.find("v1", [])).toBe(true);
  position.move("v2");
  position.noteInStep();
  expect(position.isBehind).toBe(false);
  expect(position.find("v1", [])).toBe(true);
  expect(position.isBehind).toBe(true);
});

test("a store that went back is not behind where upstream has nothing more", () => {
  const position = new StorePosition();
  move("v1", "v2", "v3")(position);
  position.find("v1", []);
  expect(position.isBehind).toBe(true);
  position.noteInStep();
  expect(position.isBehind).toBe(false);
  position.find("v2", []);
  expect(position.isBehind).toBe(false);
});

test("a step that was not taken is lacking until it is passed, or the store has all that upstream has", () => {
  const position = new StorePosition();
  position.move("v1");
  const seen = () => [position.lacking, position.isBehind];
  position.noteLacking("v3");
  position.move("v2");
  expect(seen()).toEqual(["v3", true]);
  position.notePassed(["v3"]);
  expect(seen()).toEqual([undefined, false]);
  // It was taken long ago, and what came of asking for it once more is not known.
  position.noteLacking("v1");
  expect(seen()).toEqual(["v1", true]);
  position.noteInStep();
  expect(seen()).toEqual([undefined, false]);
});

test("steps that others have taken are known when they begin where it was left", () => {
  const position = new StorePosition();
  position.move("v1");
  expect(position.find("v3", stepsThrough("v1", "v2", "v3", "v4"))).toBe(true);
  expect(["v1", "v2", "v3", "v4"].map((version) => position.hasPassed(version))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  position.find("v2", stepsThrough("v3", "v4"));
  expect(position.isBehind).toBe(true);
  position.find("v9", stepsThrough("v8", "v9"));
  expect(position.hasPassed("v2")).toBe(false);
});

test("it remembers a thousand versions", () => {
  const position = new StorePosition();
  for (let number = 0; number < 1001; number++) position.move(`v${number}`);
  expect([position.hasPassed("v0"), position.hasPassed("v1")]).toEqual([false, true]);
});
