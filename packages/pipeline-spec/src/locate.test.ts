import { describe, expect, test } from "vitest";
import { withMarks } from "../test/marked-text.js";
import { locate, type Pipeline, parsePipeline } from "./index.js";

function pipelineIn(text: string): Pipeline {
  const result = parsePipeline(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.pipeline;
}

const yaml = `pipeline_info:
  name: p
root:
  dag:
    tasks:
      a: &task
        dependentTasks: [b, c]
      d: *task
      e:
        <<: *task
---
platforms:
  kubernetes: {}
`;
const merged = `root:
  dag:
    tasks:
      a: &task
        dependentTasks: [b, c]
        cachingOptions: {}
      d:
        <<: *task
        dependentTasks: [e]
`;
const json =
  '{"displayName":"j","pipelineSpec":{"root":{"dag":{"tasks":{"a":{"dependentTasks":["b","c"]}}}}}}';
const both = '{"pipeline_spec":{"root":{}},"platform_spec":{"platforms":{"kubernetes":{}}}}';

/** The marked text around a place, so that a row shows what was found. */
function found(text: string, path: string, part?: "key" | "value"): string {
  const marked = withMarks(text, locate(pipelineIn(text), path, part) ?? expect.fail());
  return marked.slice(marked.indexOf("«"), marked.indexOf("»") + 1);
}

describe("locate finds", () => {
  const rows: readonly [name: string, text: string, path: string, part: "key" | "value", found: string][] = [
    ["a value", yaml, "/pipeline_info/name", "value", "«p»"],
    ["a key", yaml, "/pipeline_info/name", "key", "«name»"],
    ["a name in the other spelling", yaml, "/pipelineInfo/name", "value", "«p»"],
    ["an item", yaml, "/root/dag/tasks/a/dependentTasks/1", "value", "«c»"],
    ["an item, which has no key", yaml, "/root/dag/tasks/a/dependentTasks/1", "key", "«c»"],
    ["an alias", yaml, "/root/dag/tasks/d", "value", "«*task»"],
    ["what is behind an alias", yaml, "/root/dag/tasks/d/dependentTasks/0", "value", "«b»"],
    ["what is merged", yaml, "/root/dag/tasks/e/dependentTasks", "value", "«[b, c]»"],
    ["what overrides something merged", merged, "/root/dag/tasks/d/dependentTasks", "value", "«[e]»"],
    ["what is merged beside that", merged, "/root/dag/tasks/d/cachingOptions", "value", "«{}»"],
    [
      "a map with something merged",
      merged,
      "/root/dag/tasks/d",
      "value",
      "«<<: *task\n        dependentTasks: [e]»",
    ],
    [
      "the nearest value around something missing",
      yaml,
      "/root/dag/tasks/a/dependentTasks/7",
      "value",
      "«[b, c]»",
    ],
    [
      "the nearest value around something missing, which is not a key",
      yaml,
      "/root/dag/tasks/a/nope/x",
      "key",
      "«a»",
    ],
    ["the second document", yaml, "/platforms/kubernetes", "key", "«kubernetes»"],
    ["a value in JSON", json, "/pipelineSpec/root/dag/tasks/a/dependentTasks/1", "value", '«"c"»'],
    ["a key in JSON", json, "/pipelineSpec/root/dag", "key", '«"dag"»'],
    [
      "a name in the other spelling in JSON",
      json,
      "/pipeline_spec/root/dag/tasks/a/dependent_tasks",
      "value",
      '«["b","c"]»',
    ],
    ["a path from the specification in a job", json, "/root/dag/tasks/a/dependentTasks/0", "value", '«"b"»'],
    ["a field of the job", json, "/displayName", "value", '«"j"»'],
    [
      "the nearest value in JSON",
      json,
      "/pipelineSpec/root/dag/tasks/a/dependentTasks/9/x",
      "value",
      '«["b","c"]»',
    ],
    ["the nearest value below a text", json, "/displayName/x", "value", '«"j"»'],
    [
      "a platform specification in the same document",
      both,
      "/platform_spec/platforms/kubernetes",
      "value",
      "«{}»",
    ],
    ["a specification in the same document", both, "/root", "key", '«"root"»'],
  ];
  for (const [name, text, path, part, expected] of rows) {
    test(name, () => expect(found(text, path, part)).toBe(expected));
  }

  test("the whole document", () => {
    expect(locate(pipelineIn(json), "")).toMatchObject({
      start: { offset: 0 },
      end: { offset: json.length },
    });
  });
});

test("a path that is no JSON pointer is a mistake of the program", () => {
  expect(() => locate(pipelineIn(json), "root")).toThrow(TypeError);
});

test("a pipeline is plain data, and a copy of it has no places", () => {
  for (const text of [yaml, json, both]) {
    const pipeline = pipelineIn(text);
    const copy = structuredClone(pipeline);
    expect(copy).toStrictEqual(pipeline);
    expect(JSON.parse(JSON.stringify(pipeline))).toEqual(pipeline);
    expect(locate(pipeline, "/root")).toBeDefined();
    expect(locate(copy, "/root")).toBeUndefined();
  }
});
