import { describe, expect, test } from "vitest";
import { rewritePipeline } from "../index.js";

/** A file with a constant, as JSON of which each level is so much further in. */
function fileWith(constant: unknown, indent: string | undefined, lineEnd: string): string {
  const parameters = { p: { runtimeValue: { constant } } };
  const file = { pipelineInfo: { name: "a" }, root: { dag: { tasks: { t: { inputs: { parameters } } } } } };
  return JSON.stringify(file, undefined, indent).replaceAll("\n", lineEnd);
}

function rewrite(text: string, value: unknown) {
  return rewritePipeline(text, ({ spec }) => {
    const { implementation } = spec.root ?? {};
    const tasks = implementation?.$case === "dag" ? implementation.value.tasks : {};
    tasks.t!.inputs!.parameters.p!.kind = {
      $case: "runtimeValue",
      value: { value: { $case: "constant", value } },
    };
  });
}

const changes: readonly (readonly [before: unknown, after: unknown])[] = [
  [1, { a: [1, { b: [] }], c: {} }],
  ["a", [["b"], "c\nd"]],
  [{ a: 1 }, ["a", { b: 1 }]],
  [[], ["a", { b: [1] }]],
  [{}, { a: { b: 1 } }],
  [["a"], []],
  [
    ["a", "b"],
    ["a", { c: [1, 2] }, "b"],
  ],
  [
    ["a", "b"],
    [{ c: 1 }, "a", "b"],
  ],
  [
    ["a", "b"],
    ["a", "b", [{ c: 1 }]],
  ],
  [["a", "b", "c"], ["b"]],
  [
    { z: 0, a: 1 },
    { z: 0, a: 1, b: { c: [1, { d: 2 }] } },
  ],
  [
    { a: 1, b: 2 },
    { a: 1, b: { d: 1 }, c: [], e: {} },
  ],
  [{ a: { b: 1, c: 2 } }, { a: { c: { d: 1 } } }],
  [{ a: [0, { b: 1 }] }, { a: [0, { b: [1] }, { c: [] }] }],
];

describe.each([undefined, "  ", "    ", "\t"])(
  "JSON that is indented by %j stays as it is laid out",
  (indent) => {
    test.each(["\n", "\r\n"])("with %j at the ends of lines", (lineEnd) => {
      for (const [before, after] of changes) {
        const result = rewrite(fileWith(before, indent, lineEnd), after);
        expect(result).toMatchObject({
          ok: true,
          text: fileWith(after, indent, lineEnd),
          keptComments: true,
        });
      }
    });
  },
);
