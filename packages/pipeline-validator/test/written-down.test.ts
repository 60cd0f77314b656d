import { describe, expect, test } from "vitest";
import { type ValidateOptions, validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

function found(patch: string, options?: ValidateOptions): readonly string[] {
  const { problems } = validatePipeline(exampleText("patch", patch), options);
  return problems.map(({ severity, code, path }) => `${severity} ${code} ${path.split("/").at(-1)}`);
}

/** A loop over lists, whose component goes over each of them. */
const nested = (lists: string, item = "parameterType: NUMBER_INTEGER", inner = "") => `
root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '${lists}'}, itemInput: row}}}}}
components:
  comp-loop:
    inputDefinitions: {parameters: {item: null, row: {parameterType: LIST}}}
    dag:
      tasks:
        report: null
        cells:
          taskInfo: {name: cells}
          componentRef: {name: comp-cells}
          inputs: {parameters: {row: {componentInputParameter: row}}}
          parameterIterator: {items: {inputParameter: row}, itemInput: cell}
          ${inner}
  comp-cells:
    inputDefinitions: {parameters: {row: {parameterType: LIST}, cell: {${item}}}}
    dag:
      tasks:
        report:
          taskInfo: {name: report}
          componentRef: {name: comp-report}
          inputs: {parameters: {message: {runtimeValue: {constant: x}}}}
`;

describe("items of loops in loops", () => {
  test("are of the type of the item", () => {
    expect(found(nested('[[1, 2], [3, "b"]]'))).toEqual(["error iterator-items-type raw"]);
    expect(found(nested("[[1, 2], [3, 4]]"))).toEqual([]);
    expect(found(nested('[["a"], []]', "parameterType: STRING"))).toEqual([]);
  });
  test("are named by where they are", () => {
    const { problems } = validatePipeline(exampleText("patch", nested('[[1, 2], [3, "b"], ["c"]]')));
    expect(problems.map(({ message }) => message)).toEqual([
      '"cell" is of type NUMBER_INTEGER, but item 1 of item 1 is the text "b"',
    ]);
    const inText = (items: string) =>
      validatePipeline(
        exampleText(
          "patch",
          nested(items).replaceAll("row: {parameterType: LIST}", "row: {parameterType: STRING}"),
        ),
      ).problems.map(({ message }) => message);
    expect(inText('["[1]", "5"]')).toEqual(["the items of item 1 are the number 5, not a list"]);
    expect(inText('["[1]", "[1"]')).toEqual([expect.stringMatching(/^the items of item 1 are not JSON: /)]);
  });
  test("are named from the innermost outwards, however deep they are", () => {
    const over = (input: string, item: string, component: string) => ({
      taskInfo: { name: item },
      componentRef: { name: component },
      inputs: { parameters: { [input]: { componentInputParameter: input } } },
      parameterIterator: { items: { inputParameter: input }, itemInput: item },
    });
    const lists = {
      a: { parameterType: "LIST" },
      b: { parameterType: "LIST" },
      c: { parameterType: "NUMBER_INTEGER" },
    };
    const given = (...names: (keyof typeof lists)[]) => ({
      parameters: Object.fromEntries(names.map((name) => [name, lists[name]])),
    });
    const say = { taskInfo: { name: "say" }, componentRef: { name: "comp-say" } };
    const spec = (raw: string) => ({
      pipelineInfo: { name: "deep" },
      schemaVersion: "2.1.0",
      root: {
        dag: {
          tasks: {
            outer: {
              taskInfo: { name: "outer" },
              componentRef: { name: "comp-outer" },
              parameterIterator: { items: { raw }, itemInput: "a" },
            },
          },
        },
      },
      components: {
        "comp-outer": {
          inputDefinitions: given("a"),
          dag: { tasks: { middle: over("a", "b", "comp-middle") } },
        },
        "comp-middle": {
          inputDefinitions: given("a", "b"),
          dag: { tasks: { inner: over("b", "c", "comp-inner") } },
        },
        "comp-inner": { inputDefinitions: given("b", "c"), dag: { tasks: { say } } },
        "comp-say": { executorLabel: "exec-say" },
      },
      deploymentSpec: { executors: { "exec-say": { container: { image: "busybox", command: ["date"] } } } },
    });
    const messages = (raw: string) =>
      validatePipeline(JSON.stringify(spec(raw))).problems.map((one) => one.message);
    expect(messages("[[[1]], [[], [2], [3, 4, 5, true]]]")).toEqual([
      '"c" is of type NUMBER_INTEGER, but item 3 of item 2 of item 1 is true',
    ]);
    expect(messages("[[[1]], [[2], [3]]]")).toEqual([]);
  });
  test("are those of the input that the loop goes over, and of no other", () => {
    const other = nested('[["a"]]')
      .replace("row: {componentInputParameter: row}", "row: {componentInputParameter: rows}")
      .replace(
        "item: null, row: {parameterType: LIST}",
        "item: null, row: {parameterType: LIST}, rows: {parameterType: LIST, isOptional: true}",
      );
    expect(found(other)).not.toContain("error iterator-items-type raw");
  });
  test("are looked at when there are too many of them, as far as that", () => {
    const lists = Array.from({ length: 10_001 }, (_, at) => (at === 0 ? ["b"] : [1]));
    expect(found(nested(JSON.stringify(lists)))).toEqual(["error iterator-items-type raw"]);
  });
  test("are among the literals of the item", () => {
    const item = "parameterType: STRING, literals: [a, b]";
    expect(found(nested('[["a"], ["b", "z"]]', item))).toEqual(["error iterator-item-not-literal raw"]);
    expect(found(nested('[["a"], ["b"]]', item))).toEqual([]);
  });
  test("may be left out by a condition", () => {
    const condition = `triggerPolicy: {condition: "size(inputs.parameter_values['row']) == 1"}`;
    expect(found(nested('[[1], ["a", "b"]]', undefined, condition))).toEqual([]);
  });
  test.each([
    [10_000, ["error iterator-items-type raw"]],
    [10_001, []],
  ])("are looked at up to ten thousand lists: the last of %i", (count, problems) => {
    const lists = Array.from({ length: count }, (_, at) => (at === count - 1 ? ["b"] : [1]));
    expect(found(nested(JSON.stringify(lists)))).toEqual(problems);
  });
  test("do not take long, however many loops go over each other's items", () => {
    const tasks = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [
        `cells-${at}`,
        {
          taskInfo: { name: "cells" },
          componentRef: { name: "comp-cells" },
          inputs: { parameters: { row: { componentInputParameter: "row" } } },
          parameterIterator: { items: { inputParameter: "row" }, itemInput: "cell" },
        },
      ]),
    );
    const rows = JSON.stringify(Array.from({ length: 3000 }, () => [1]));
    const patch = `${nested(rows)}---\n`.replace("---\n", "");
    const text = exampleText(
      "patch",
      patch.replace("report: null", `report: null, ${JSON.stringify(tasks).slice(1, -1)}`),
    );
    const before = process.cpuUsage();
    validatePipeline(text);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(10);
  });
});

describe("items that are whole numbers", () => {
  const loop = (items: string) => `
root: {dag: {tasks: {loop: {parameterIterator: {items: {raw: '${items}'}}}}}}
components:
  comp-loop:
    inputDefinitions: {parameters: {item: {parameterType: NUMBER_INTEGER}}}
    dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: null, runtimeValue: {constant: x}}}}}}}
`;
  test("have no fraction", () => {
    expect(found(loop("[1, 2.5]"))).toEqual(["warning integer-range raw"]);
    expect(found(loop("[1, 2.0]"))).toEqual([]);
  });
  test("nor in loops in loops", () => {
    expect(found(nested("[[1], [2.5]]"))).toEqual(["warning integer-range raw"]);
  });
});

describe("a default that a loop goes over", () => {
  const overDefault = (declared: string, item: string) => `
root:
  inputDefinitions: {parameters: {rows: {${declared}}}}
  dag:
    tasks:
      prepare: {inputs: {parameters: {rows: {componentInputParameter: null, runtimeValue: {constant: 3}}}}}
      loop:
        inputs: {parameters: {rows: {componentInputParameter: rows}}}
        parameterIterator: {items: {raw: null, inputParameter: rows}}
components:
  comp-loop:
    inputDefinitions: {parameters: {rows: {${declared.replace(/, defaultValue.*/, "")}}, item: {${item}}}}
    dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: null, runtimeValue: {constant: x}}}}}}}
`;
  const wrong = ["warning default-items-wrong defaultValue"];
  test("has items of the type of the item", () => {
    expect(
      found(overDefault("parameterType: LIST, defaultValue: [a]", "parameterType: NUMBER_INTEGER")),
    ).toEqual(wrong);
    expect(
      found(overDefault("parameterType: LIST, defaultValue: [1]", "parameterType: NUMBER_INTEGER")),
    ).toEqual([]);
  });
  test("is a list of JSON", () => {
    expect(found(overDefault("parameterType: STRING, defaultValue: 'a,b'", "parameterType: STRING"))).toEqual(
      wrong,
    );
    expect(found(overDefault("parameterType: STRING, defaultValue: '[]'", "parameterType: STRING"))).toEqual(
      [],
    );
  });
  test("has items among the literals", () => {
    const item = "parameterType: STRING, literals: [a]";
    expect(found(overDefault("parameterType: LIST, defaultValue: [b]", item))).toEqual(wrong);
  });
  test("may be empty", () => {
    expect(
      found(overDefault("parameterType: LIST, defaultValue: []", "parameterType: NUMBER_INTEGER")),
    ).toEqual([]);
  });
});

describe("a trigger policy", () => {
  const policy = (text: string) => found(`root: {dag: {tasks: {branch: {triggerPolicy: ${text}}}}}`);
  test("says when its task runs", () => {
    expect(policy("{condition: ''}")).toEqual(["warning trigger-policy-empty triggerPolicy"]);
    expect(
      policy("{condition: ''}").concat(found("root: {dag: {tasks: {branch: {triggerPolicy: null}}}}")),
    ).toHaveLength(1);
  });
  test("is empty where nothing stands behind `condition:`", () => {
    const text = exampleText("patch", "{}").replace(/condition: .*/, "condition:");
    const { problems } = validatePipeline(text);
    expect(problems.map(({ code }) => code)).toEqual(["trigger-policy-empty"]);
  });
});

describe("a placeholder of an input in a constant of the Kubernetes settings", () => {
  const settings = (executor: string) =>
    found(`{}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-report: ${executor}}}}}`);
  const placeholder = `"{{$.inputs.parameters['message']}}"`;
  const unsupported = (field: string) => [`warning placeholder-unsupported ${field}`];
  test("is not filled in", () => {
    const named = `{runtimeValue: {constant: ${placeholder}}}`;
    expect(settings(`{imagePullSecret: [{secretNameParameter: ${named}}]}`)).toEqual(unsupported("constant"));
    expect(settings(`{imagePullSecret: [{secretName: ${placeholder}}]}`)).toEqual(unsupported("secretName"));
    expect(settings(`{tolerations: [{tolerationJson: ${named}}]}`)).toEqual(unsupported("constant"));
  });
  test("is one of an input: facts of the run are filled in", () => {
    const named = `{runtimeValue: {constant: "{{$.pipeline_job_name}}"}}`;
    expect(settings(`{imagePullSecret: [{secretNameParameter: ${named}}]}`)).toEqual([]);
  });
});

describe("what a task is certain to fill in", () => {
  const filled = (container: string, constant: string) =>
    found(`
components: {comp-loop: {dag: {tasks: {report: {inputs: {parameters: {message: {componentInputParameter: null, runtimeValue: {constant: ${constant}}}}}}}}}}
deploymentSpec: {executors: {exec-report: {container: {${container}}}}}
`);
  const text = `"{{$.inputs.parameters['message']}}"`;
  test("for an image is one", () => {
    expect(filled(`image: ${text}`, "'Q Q'")).toEqual(["error image-invalid constant"]);
    expect(filled(`image: ${text}`, "''")).toEqual(["error image-invalid constant"]);
    expect(filled(`image: ${text}`, "'python:3.12'")).toEqual([]);
    expect(filled(`image: ${text}`, "'{{$.pipeline_job_name}}'")).toEqual([]);
  });
  test("for an accelerator is a whole number", () => {
    const accelerator = `resources: {accelerator: {resourceType: nvidia.com/gpu, resourceCount: ${text}}}`;
    expect(filled(accelerator, "500m")).toEqual(["error accelerator-invalid constant"]);
    expect(filled(accelerator, "'1'")).toEqual([]);
  });
  test("for an amount is one", () => {
    expect(filled(`resources: {resourceCpuLimit: ${text}}`, "'1 cpu'")).toEqual([
      "error resource-invalid constant",
    ]);
    expect(filled(`resources: {resourceCpuLimit: ${text}}`, "500m")).toEqual([]);
    expect(filled(`resources: {resourceCpuLimit: ${text}}`, "''")).toEqual([]);
  });
});
