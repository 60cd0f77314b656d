import { describe, expect, test } from "vitest";
import { type ValidateOptions, validatePipeline } from "../src/index.js";

describe("a pipeline that a cluster has no room for", () => {
  const warnings = (spec: object, options?: ValidateOptions) => {
    const { problems } = validatePipeline(JSON.stringify(spec), options);
    return problems.flatMap(({ severity, code }) => (code === "too-large" ? [severity] : []));
  };
  const container = (program: string) => ({
    container: { image: "busybox", command: ["sh", "-c", program] },
  });
  const pipeline = (count: number, ...programs: readonly string[]) => ({
    pipelineInfo: { name: "large" },
    schemaVersion: "2.1.0",
    root: {
      dag: {
        tasks: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [
            `task-${at}`,
            { taskInfo: { name: "task" }, componentRef: { name: `comp-${at % programs.length}` } },
          ]),
        ),
      },
    },
    components: Object.fromEntries(programs.map((_, at) => [`comp-${at}`, { executorLabel: `exec-${at}` }])),
    deploymentSpec: {
      executors: Object.fromEntries(programs.map((program, at) => [`exec-${at}`, container(program)])),
    },
  });
  test("has too many tasks", () => {
    expect(warnings(pipeline(2600, "date"))).toEqual(["warning"]);
    expect(warnings(pipeline(2400, "date"))).toEqual([]);
    expect(warnings(pipeline(2600, "date"), { profile: "spec" })).toEqual([]);
    expect(warnings(pipeline(2600, "date"), { rules: { "too-large": "off" } })).toEqual([]);
  });
  test.each([
    [2499, 596, []],
    [2499, 597, ["warning"]],
    [2500, 1, ["warning"]],
  ])(
    "is larger than a million and a half bytes: %i tasks of a program of %i",
    (count, length, severities) => {
      expect(warnings(pipeline(count, "x".repeat(length)))).toEqual(severities);
    },
  );
  test("is as large as what is reached", () => {
    const all = pipeline(1, "date", "x".repeat(1_600_000));
    expect(warnings(all)).toEqual([]);
    const root = { dag: { tasks: { long: { componentRef: { name: "comp-1" } } } } };
    expect(warnings({ ...all, root })).toEqual(["warning"]);
  });
  test("or programs that are too long, which count once", () => {
    const program = "x".repeat(800_000);
    expect(warnings(pipeline(2, program, `${program}y`))).toEqual(["warning"]);
    expect(warnings(pipeline(2, program, program))).toEqual([]);
  });
  test("is told with its weight, which equal programs add to once, and others by each of their texts", () => {
    const weights = (executors: readonly object[]) => {
      const names = executors.map(() => "");
      const spec = { ...pipeline(names.length, ...names), deploymentSpec: { executors: { ...executors } } };
      const components = Object.fromEntries(names.map((_, at) => [`comp-${at}`, { executorLabel: `${at}` }]));
      const { problems } = validatePipeline(JSON.stringify({ ...spec, components }));
      return problems.flatMap(({ code, message }) =>
        code === "too-large" ? [/at least (.*) MB, and/.exec(message)?.[1]] : [],
      );
    };
    const of = (more: object) => ({ container: { image: "busybox", command: ["sh"], ...more } });
    const million = "x".repeat(1_000_000);
    const long = of({ args: [million] });
    expect(weights([long])).toEqual([]);
    expect(weights([long, long])).toEqual([]);
    expect(weights([long, of({ args: [million], image: "alpine" })])).toEqual(["2.0"]);
    expect(weights([long, of({ args: [million], env: [{ name: "A", value: "b" }] })])).toEqual(["2.0"]);
    expect(weights([of({ command: [million], args: [million, million] })])).toEqual(["3.0"]);
  });

  test("is not made so by tasks that no run comes to", () => {
    const many = pipeline(2600, "date");
    const root = { dag: { tasks: { one: { componentRef: { name: "comp-0" } } } } };
    const components = { ...many.components, "comp-many": many.root };
    expect(warnings({ ...many, root, components })).toEqual([]);
  });
});
