import { describe, expect, test } from "vitest";
import { formerFolder, headIn, moveLines } from "./moved-run.js";

const facts = { workspace_path: "/old/runs/run-1/workspace", other: "stays" };
const head = { format: 1, options: { runId: "run-1", pipelineRoot: "/old/runs", facts } };

test.each([
  [head, "/old/runs/run-1"],
  [{ options: { facts: { workspace_path: 5 } } }, undefined],
  [{ options: { facts: {} } }, undefined],
  [{ options: { facts: null } }, undefined],
  [{ options: {} }, undefined],
  [{}, undefined],
  [null, undefined],
  ["x", undefined],
])("the run of %j was in %s", (given, folder) => expect(formerFolder(given)).toBe(folder));

test("a run that was moved is as if it had been there from the beginning, by its old name", () => {
  expect(headIn("/new/place/run-2", head)).toEqual({
    format: 1,
    options: {
      runId: "run-1",
      pipelineRoot: "/new/place",
      facts: { workspace_path: "/new/place/run-2/workspace", other: "stays" },
    },
  });
  expect(head.options.facts.workspace_path).toBe("/old/runs/run-1/workspace");
});

test.each([[null], ["x"], [{}], [{ options: 5 }], [{ options: {} }], [{ options: { facts: [] } }]])(
  "what says nothing of a folder stays: %j",
  (given) => expect(headIn("/new", given)).toBe(given),
);

describe("texts of a line that are paths in the old folder become those in the new one", () => {
  test.each<[unknown, unknown]>([
    ["/old/a", "/new/$&/a"],
    ["/old", "/new/$&"],
    ["file:///old/a", "file:///new/$&/a"],
    ["/older/a", "/older/a"],
    ["/very/old/a", "/very/old/a"],
    ["see /old/a", "see /old/a"],
    [
      { uri: "/old/a", key: ["/old/b", "/old"], n: { deep: "/old/c" } },
      { uri: "/new/$&/a", key: ["/new/$&/b", "/new/$&"], n: { deep: "/new/$&/c" } },
    ],
    ['"/old/a"', '"/old/a"'],
  ])("%j", (before, after) => {
    const line = moveLines("/old", "/new/$&")(JSON.stringify([before]));
    expect(JSON.parse(line)).toEqual([after]);
  });

  test.each(["/a.b", "/a+(b)", '/a"b', "/a\\b", "/a[0]", "/ü b", "/a^$|{}?*"])(
    "whatever it is called: %s",
    (old) => {
      const move = moveLines(old, "/new");
      expect(JSON.parse(move(JSON.stringify([`${old}/x`, old, `${old}x`])))).toEqual([
        "/new/x",
        "/new",
        `${old}x`,
      ]);
      // And back.
      expect(JSON.parse(moveLines("/new", old)(JSON.stringify(["/new/x"])))).toEqual([`${old}/x`]);
    },
  );

  test("a dot is no other character", () => {
    expect(moveLines("/a.b", "/new")(JSON.stringify(["/axb/c"]))).toBe('["/axb/c"]');
  });
});
