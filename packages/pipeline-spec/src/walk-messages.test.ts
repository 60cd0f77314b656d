import { expect, test } from "vitest";
import { corpus } from "../test/corpus.js";
import {
  type MessageName,
  type MessagePlace,
  PipelineSpec,
  parsePipeline,
  walkMessages,
  writeJson,
} from "./index.js";

const spec = PipelineSpec.create({
  root: {
    implementation: {
      $case: "dag",
      value: { tasks: { "a/b": { iterator: { $case: "artifactIterator", value: { itemInput: "x" } } } } },
    },
    singlePlatformSpecs: [{ platform: "p" }],
  },
  components: { c: { implementation: { $case: "executorLabel", value: "e" } } },
});

test("messages come with their names and places, outer ones first", () => {
  const found = [...walkMessages("PipelineSpec", spec)].map(({ name, path }) => [name, path]);
  expect(found).toEqual([
    ["PipelineSpec", ""],
    ["ComponentSpec", "/components/c"],
    ["ComponentSpec", "/root"],
    ["DagSpec", "/root/dag"],
    ["PipelineTaskSpec", "/root/dag/tasks/a~1b"],
    ["ArtifactIteratorSpec", "/root/dag/tasks/a~1b/artifactIterator"],
    ["SinglePlatformSpec", "/root/singlePlatformSpecs/0"],
  ]);
});

test.each([
  ["null", null],
  ["a number", 5],
  ["a text", "text"],
  ["a list of texts", ["a", "b"]],
  ["a map of what are no messages", { a: null, b: 5, c: "text" }],
])("where no message can be, there is none: %s", (_, value) => {
  const odd = Object.assign(PipelineSpec.create(), { root: value === null ? null : 5, components: value });
  expect([...walkMessages("PipelineSpec", odd, "/x")]).toEqual([
    { name: "PipelineSpec", message: odd, path: "/x" },
  ]);
});

test("a member of a oneof counts only where it is the one that is set", () => {
  const odd = Object.assign(PipelineSpec.create({ root: {} }).root ?? expect.fail(), {
    implementation: { value: { tasks: {} } },
    dag: { tasks: {} },
  });
  expect([...walkMessages("ComponentSpec", odd)].map(({ path }) => path)).toEqual([""]);
});

test("what is found can be changed in place, with its type", () => {
  const copy = structuredClone(spec);
  for (const { name, message } of walkMessages("PipelineSpec", copy)) {
    if (name === "PipelineTaskSpec") message.dependentTasks.push("first");
  }
  expect(JSON.stringify(writeJson("PipelineSpec", copy))).toContain('"dependentTasks":["first"]');
});

for (const { name, text } of corpus("valid")) {
  test(`${name}: each place leads to its message in the JSON`, () => {
    const parsed = parsePipeline(text);
    const { spec, platform, deployment } = parsed.ok
      ? parsed.pipeline
      : expect.unreachable(`${name} is valid`);
    const json = {
      spec: writeJson("PipelineSpec", spec),
      platform: platform && writeJson("PlatformSpec", platform),
      deployment: writeJson("PipelineDeploymentConfig", deployment),
    };
    const at = (path: string) =>
      path
        .slice(1)
        .split("/")
        .reduce<unknown>(
          (value, key) => Reflect.get(Object(value), key.replaceAll("~1", "/").replaceAll("~0", "~")),
          json,
        );
    const places: MessagePlace[] = [
      ...walkMessages("PipelineSpec", spec, "/spec"),
      ...walkMessages("PipelineDeploymentConfig", deployment, "/deployment"),
      ...(platform === undefined ? [] : walkMessages("PlatformSpec", platform, "/platform")),
    ];
    const write = writeJson as (name: MessageName, message: unknown) => unknown;
    for (const { name, message, path } of places) expect(write(name, message)).toEqual(at(path));
    expect(places.length).toBeGreaterThan(5);
  });
}
