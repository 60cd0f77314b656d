import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { PipelineRunError, startRun } from "./index.js";

function pipelineOf(tasks: object, components: object = {}): Pipeline {
  const container = { image: "alpine", command: ["true"] };
  const inputDefinitions = { parameters: { item: { parameterType: "NUMBER_INTEGER" } } };
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "runnable" },
      root: { dag: { tasks } },
      components: {
        leaf: { executorLabel: "exec" },
        item: { executorLabel: "exec", inputDefinitions },
        ...components,
      },
      deploymentSpec: { executors: { exec: { container }, empty: {} } },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}
const of = (name: string, more: object = {}) => ({ componentRef: { name }, ...more });
const after = (...dependentTasks: readonly string[]) => of("leaf", { dependentTasks });
const loop = (items: string) =>
  of("item", { parameterIterator: { items: { raw: items }, itemInput: "item" } });

describe("what keeps a pipeline from being run is told with its place", () => {
  test.each<[string, object, object, readonly [path: string, message: string][]]>([
    [
      "a component that there is not",
      { a: of("lea"), b: of("nothing like it") },
      {},
      [
        ["/root/dag/tasks/a/componentRef/name", 'there is no component "lea"; did you mean "leaf"?'],
        ["/root/dag/tasks/b/componentRef/name", 'there is no component "nothing like it"'],
      ],
    ],
    [
      "components that there are not, beside those that there are",
      { a: of("leaf"), b: of("lea"), c: of("leaf"), d: of("nothing like it") },
      {},
      [
        ["/root/dag/tasks/b/componentRef/name", 'there is no component "lea"; did you mean "leaf"?'],
        ["/root/dag/tasks/d/componentRef/name", 'there is no component "nothing like it"'],
      ],
    ],
    [
      "a task that names no component",
      { a: {} },
      {},
      [["/root/dag/tasks/a/componentRef/name", 'there is no component ""']],
    ],
    [
      "executors that there are not",
      { a: of("one"), b: of("two"), c: of("three") },
      { one: { executorLabel: "exe" }, two: { executorLabel: "nothing like it" }, three: {} },
      [
        ["/components/one/executorLabel", 'there is no executor "exe"; did you mean "exec"?'],
        ["/components/two/executorLabel", 'there is no executor "nothing like it"'],
        ["/components/three/executorLabel", 'there is no executor ""'],
      ],
    ],
    [
      "an executor that is empty",
      { a: of("one") },
      { one: { executorLabel: "empty" } },
      [["/components/one/executorLabel", "its executor is empty"]],
    ],
    [
      "fewer iterations at once than none",
      { a: { ...loop("[1]"), iteratorPolicy: { parallelismLimit: -1 } } },
      {},
      [
        [
          "/root/dag/tasks/a/iteratorPolicy/parallelismLimit",
          "-1 iterations at once are none: 0 is without a limit",
        ],
      ],
    ],
    [
      "a task that waits for itself by way of others",
      { a: after("c"), b: after("a"), c: after("b") },
      {},
      [["/root/dag/tasks/a/dependentTasks/0", "tasks wait for each other: a → c → b → a"]],
    ],
  ])("%s", (_, tasks, components, told) => {
    let refusal: unknown;
    try {
      startRun(pipelineOf(tasks, components));
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(PipelineRunError);
    const problems = told.map(([path, message]) => ({
      code: "not-runnable",
      severity: "error",
      path,
      message,
    }));
    expect(refusal).toMatchObject({ code: "pipeline", problems });
    const lines = ["the pipeline cannot be run", ...told.map(([path, message]) => `  ${path}: ${message}`)];
    expect((refusal as Error).message).toBe(lines.join("\n"));
  });

  test("what no task uses keeps nothing from being run, nor does no limit", () => {
    const tasks = { a: { ...loop("[1]"), iteratorPolicy: { parallelismLimit: 0 } } };
    expect(startRun(pipelineOf(tasks, { unused: { executorLabel: "none" } })).state).toBe("RUNNING");
  });

  test.each([10, 11])("of %i problems ten are in the message, and all in the error", (count) => {
    const tasks = Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, of("none")]));
    const refused = () => startRun(pipelineOf(tasks));
    expect(refused).toThrow(
      expect.objectContaining({ problems: expect.objectContaining({ length: count }) }),
    );
    const message = expect.stringMatching(/^[^\n]*(\n {2}\/root\/[^\n]*){10}$/);
    expect(refused).toThrow(expect.objectContaining({ message }));
  });
});

test.each<[string, object | undefined, string]>([
  ["no root", undefined, "/root"],
  ["a root that runs something itself", { executorLabel: "exec" }, "/root"],
])("a pipeline with %s has nothing to run", (_, root, path) => {
  const { spec, ...others } = pipelineOf({ a: of("leaf") });
  const parsed = parsePipeline(JSON.stringify({ pipelineInfo: { name: "p" }, root }));
  const pipeline = parsed.ok ? parsed.pipeline : { ...others, spec: { ...spec, root: undefined } };
  const message = "the root is no DAG: there is nothing to run";
  expect(() => startRun(pipeline)).toThrow(
    expect.objectContaining({
      code: "pipeline",
      problems: expect.arrayContaining([{ code: "not-runnable", severity: "error", path, message }]),
    }),
  );
});
