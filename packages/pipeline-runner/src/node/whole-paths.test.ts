import { join, resolve } from "node:path";
import type { Artifacts } from "@wye/pipeline-resolver";
import { RuntimeArtifact } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { wholePaths } from "./whole-paths.js";

const of = (uri: string, more: object = {}): Artifacts => ({
  a: { artifacts: [{ ...RuntimeArtifact.create({ uri }), ...more }] },
});

test.each([
  ["", ""],
  ["data", "/task/data"],
  ["./in/data", "/task/in/data"],
  ["../data", "/data"],
  ["/own//data", "/own//data"],
  ["gs://bucket/key", "gs://bucket/key"],
  ["file:///own", "file:///own"],
])("the path %j means %j in the folder of a task", (path, whole) => {
  expect(wholePaths(of(path), "/task")).toEqual(of(whole));
  expect(wholePaths(of("gs://b", { customPath: path }), "/task")).toEqual(
    of("gs://b", { customPath: whole }),
  );
});

test("without a folder a path is one of the folder of this process", () => {
  expect(wholePaths(of("data"))).toEqual(of(join(resolve("."), "data")));
});

test("what are no artifacts stays as it is", () => {
  const odd = { a: { artifacts: [{ uri: 5 }] }, b: null, c: { artifacts: "data" } } as unknown as Artifacts;
  expect(wholePaths(odd, "/task")).toEqual(odd);
});
