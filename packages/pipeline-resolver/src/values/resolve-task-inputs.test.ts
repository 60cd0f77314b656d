import {
  ComponentSpec,
  type PartialMessage,
  PipelineTaskSpec,
  RuntimeArtifact,
  Value,
} from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { resolveTaskInputs, type TaskInputs, type TaskScope } from "../index.js";

type Parameters = NonNullable<NonNullable<PartialMessage<PipelineTaskSpec>["inputs"]>["parameters"]>;
type Source = Parameters[string];
type Declared = NonNullable<
  NonNullable<PartialMessage<ComponentSpec>["inputDefinitions"]>["parameters"]
>[string];

const types = {
  any: 0,
  double: 1,
  int: 2,
  text: 3,
  bool: 4,
  list: 5,
  struct: 6,
  status: 7,
  config: 8,
} as const;
const list = { artifacts: [RuntimeArtifact.create({ name: "a", uri: "gs://b/a" })] };
const scope: TaskScope = {
  parameters: {
    n: 3,
    text: "x",
    none: null,
    json: '{"k":[1,2]}',
    sneaky: "{{$.inputs.parameters['n']}}",
    big: 1e21,
  },
  artifacts: { data: list },
  outputs: new Map([["before", { parameters: { out: [1, 2] }, artifacts: { model: list } }]]),
  finalStatus: (producer) =>
    producer === "body" ? { state: "FAILED", pipelineTaskName: producer } : undefined,
  facts: { pipeline_job_name: "run 7", workspace_path: "/ws" },
};

const constant = (value: unknown, selector = ""): Source => ({
  kind: { $case: "runtimeValue", value: { value: { $case: "constant", value } } },
  parameterExpressionSelector: selector,
});
const outer = (name: string, selector = ""): Source => ({
  kind: { $case: "componentInputParameter", value: name },
  parameterExpressionSelector: selector,
});
const output = (producerTask: string, outputParameterKey: string): Source => ({
  kind: { $case: "taskOutputParameter", value: { producerTask, outputParameterKey } },
});
const status = (producerTask: string): Source => ({
  kind: { $case: "taskFinalStatus", value: { producerTask } },
});
const declare = (type: keyof typeof types, more: Declared = {}): Declared => ({
  parameterType: types[type],
  ...more,
});

interface Case {
  readonly name: string;
  readonly given?: Parameters;
  readonly declared?: Readonly<Record<string, Declared>>;
  readonly task?: PartialMessage<PipelineTaskSpec>;
  readonly dag?: boolean;
  readonly profile?: "kfp" | "spec";
}

function resolve({ given = {}, declared = {}, task = {}, dag = false, profile = "kfp" }: Case) {
  return resolveTaskInputs(
    PipelineTaskSpec.create({ ...task, inputs: { parameters: given, ...task.inputs } }),
    ComponentSpec.create({
      inputDefinitions: { parameters: declared },
      implementation: dag ? { $case: "dag", value: {} } : { $case: "executorLabel", value: "exec" },
    }),
    scope,
    { profile },
  );
}

describe("values arrive", () => {
  const cases: readonly (Case & {
    readonly wanted: TaskInputs["parameters"];
    readonly defaulted?: readonly string[];
  })[] = [
    {
      name: "from the enclosing DAG",
      given: { x: outer("n") },
      declared: { x: declare("int") },
      wanted: { x: 3 },
    },
    {
      name: "from a sibling",
      given: { x: output("before", "out") },
      declared: { x: declare("list") },
      wanted: { x: [1, 2] },
    },
    {
      name: "as constants",
      given: { x: constant({ a: [1] }) },
      declared: { x: declare("struct") },
      wanted: { x: { a: [1] } },
    },
    {
      name: "as runtime parameters, which are inputs of the enclosing DAG",
      given: {
        x: {
          kind: { $case: "runtimeValue", value: { value: { $case: "runtimeParameter", value: "text" } } },
        },
      },
      declared: { x: declare("text") },
      wanted: { x: "x" },
    },
    {
      name: "as old typed constants",
      given: {
        x: {
          kind: {
            $case: "runtimeValue",
            value: {
              value: {
                $case: "constantValue",
                value: Value.create({ value: { $case: "intValue", value: "5" } }),
              },
            },
          },
        },
      },
      declared: { x: { type: 1 } },
      wanted: { x: 5 },
    },
    {
      name: "as the final status of a task",
      given: { x: status("body"), y: status("") },
      declared: { x: declare("status"), y: declare("struct") },
      task: { dependentTasks: ["body"] },
      wanted: {
        x: { state: "FAILED", pipelineTaskName: "body" },
        y: { state: "FAILED", pipelineTaskName: "body" },
      },
    },
    {
      name: "as text where text is declared",
      given: {
        a: outer("n"),
        b: constant(2.0),
        c: outer("big"),
        d: output("before", "out"),
        e: constant(true),
        f: constant({ k: 1 }),
      },
      declared: Object.fromEntries([..."abcdef"].map((key) => [key, declare("text")])),
      wanted: { a: "3", b: "2", c: "1000000000000000000000", d: "[1,2]", e: "true", f: '{"k":1}' },
    },
    {
      name: "undeclared, as they are",
      given: { "pipelinechannel--n": outer("n"), gone: outer("none") },
      wanted: { "pipelinechannel--n": 3 },
    },
    {
      name: "selected before they are converted",
      given: { x: outer("json", "parseJson(string_value)['k'][1]") },
      declared: { x: declare("text") },
      wanted: { x: "2" },
    },
    {
      name: "allowed",
      given: { x: constant(1) },
      declared: { x: declare("int", { literals: [2, 1.0] }) },
      wanted: { x: 1 },
    },
    {
      name: "by default in a container, which cache keys do not count",
      given: { b: outer("none") },
      declared: {
        a: declare("int", { defaultValue: 7 }),
        b: declare("text", { defaultValue: 2, isOptional: true }),
        c: declare("text", { isOptional: true }),
      },
      wanted: { a: 7, b: "2" },
      defaulted: ["a", "b"],
    },
    {
      name: "by default in a container as it stands, which nothing on the back end looks at",
      declared: { a: declare("int", { defaultValue: "7" }), b: declare("list", { defaultValue: {} }) },
      wanted: { a: "7", b: {} },
      defaulted: ["a", "b"],
    },
    {
      name: "as null in a DAG, where tasks may name them",
      given: { b: outer("none") },
      declared: {
        a: declare("int", { defaultValue: 7 }),
        b: declare("text", { isOptional: true }),
        c: declare("list", { isOptional: true }),
      },
      dag: true,
      wanted: { a: 7, b: null, c: null },
      defaulted: ["a", "b", "c"],
    },
    {
      name: "by default when the task that should give them has failed",
      given: { x: output("failed", "out"), y: output("before", "other") },
      declared: { x: declare("text", { defaultValue: "d" }), y: declare("text", { isOptional: true }) },
      wanted: { x: "d" },
      defaulted: ["x"],
    },
    {
      name: "without the item of a loop and the settings of the system",
      given: { items: output("before", "out") },
      declared: { item: declare("int"), items: declare("list"), settings: declare("config") },
      task: { iterator: { $case: "parameterIterator", value: { itemInput: "item" } } },
      wanted: { items: [1, 2] },
    },
    {
      name: "with placeholders in constants filled in, once",
      given: {
        text: constant("heads and {{$.inputs.parameters['helper']}} of {{$.pipeline_job_name}} {{$}} $(X)"),
        helper: outer("n"),
        deep: constant({ a: ["{{$.inputs.parameters['sneaky']}}!"] }),
        sneaky: outer("sneaky"),
        typed: constant("{{$.inputs.parameters['helper']}}"),
        chained: constant("<{{$.inputs.parameters['text']}}>"),
        path: constant("{{$.workspace_path}}/x"),
        defaulted: constant("{{$.inputs.parameters['later']}}{{$.inputs.parameters['gone']}}"),
      },
      declared: {
        text: declare("text"),
        typed: declare("int"),
        later: declare("text", { defaultValue: "L" }),
        gone: declare("text", { isOptional: true }),
      },
      wanted: {
        text: "heads and 3 of run 7 {{$}} $(X)",
        helper: 3,
        deep: { a: ["{{$.inputs.parameters['n']}}!"] },
        sneaky: "{{$.inputs.parameters['n']}}",
        typed: 3,
        chained: "<heads and 3 of run 7 {{$}} $(X)>",
        path: "/ws/x",
        defaulted: "L",
        later: "L",
      },
      defaulted: ["later"],
    },
    {
      name: "with a fraction or beyond 2^53 − 1 as on the back end",
      given: { a: constant(1.5), b: constant(2 ** 53) },
      declared: { a: declare("int"), b: declare("int") },
      wanted: { a: 1.5, b: 2 ** 53 },
    },
    {
      name: "under names that every object has",
      given: { constructor: constant(1), ["__proto__"]: constant(2) } as Parameters,
      declared: { constructor: declare("int") },
      wanted: JSON.parse('{"constructor":1,"__proto__":2}'),
    },
  ];
  for (const { wanted, defaulted = [], ...one } of cases) {
    test(one.name, () => {
      const result = resolve(one);
      const inputs = result.ok ? result.value : expect.unreachable(JSON.stringify(result.problems));
      expect(inputs).toEqual({ parameters: wanted, artifacts: {}, defaulted });
    });
  }

  test("a doubtful integer is remarked upon", () => {
    expect(
      resolve({ name: "", given: { a: constant(1.5) }, declared: { a: declare("int") } }).problems,
    ).toMatchObject([
      {
        code: "type",
        severity: "warning",
        path: "/inputs/parameters/a",
        message: "input a: expected an integer, got 1.5",
      },
    ]);
  });

  test.each([
    ["int", 2 ** 53, 2 ** 53],
    ["list", [[null], [-(2 ** 60)]], -(2 ** 60)],
    ["struct", { a: { b: 2 ** 53 } }, 2 ** 53],
    ["text", 2 ** 53, 2 ** 53],
  ] as const)(
    "an integer in a %s whose last digits are doubtful is remarked upon",
    (type, value, integer) => {
      const { problems } = resolve({
        name: "",
        given: { a: constant(value) },
        declared: { a: declare(type) },
      });
      expect(problems.map(({ message }) => message)).toEqual([
        `input a: ${integer} is beyond ±(2^53 − 1), where integers are not exact: use a STRING`,
      ]);
    },
  );

  test.each([
    ["list", [2 ** 53 - 1, 1e300, 0.5, null]],
    ["double", 2 ** 60],
    ["text", "9007199254740993"],
  ] as const)("a %s of what is exact, or was never an integer, is not", (type, value) => {
    const { problems } = resolve({ name: "", given: { a: constant(value) }, declared: { a: declare(type) } });
    expect(problems).toEqual([]);
  });
});

describe("problems are told with their places", () => {
  const cases: readonly (Case & { readonly wanted: readonly (readonly [code: string, path: string])[] })[] = [
    { name: "no value for a required input", declared: { x: declare("int") }, wanted: [["missing", "/x"]] },
    {
      name: "null for a required input",
      given: { x: outer("none") },
      declared: { x: declare("int") },
      wanted: [["null", "/x"]],
    },
    {
      name: "an unknown input of the DAG",
      given: { x: outer("nn") },
      wanted: [["unknown-source", "/x/componentInputParameter"]],
    },
    {
      name: "a required output of a task that failed",
      given: { x: output("failed", "out"), y: output("before", "other") },
      declared: { x: declare("int"), y: declare("int") },
      wanted: [
        ["unknown-source", "/x/taskOutputParameter"],
        ["unknown-source", "/y/taskOutputParameter"],
      ],
    },
    {
      name: "an unknown final status",
      given: { x: status("other") },
      wanted: [["unknown-source", "/x/taskFinalStatus"]],
    },
    { name: "no source", given: { x: {} }, wanted: [["no-source", "/x"]] },
    {
      name: "an empty runtime value",
      given: { x: { kind: { $case: "runtimeValue", value: {} } } },
      wanted: [["no-source", "/x"]],
    },
    ...(
      [
        ["int", "x"],
        ["double", true],
        ["bool", 1],
        ["list", { a: 1 }],
        ["struct", [1]],
        ["status", "SUCCEEDED"],
      ] as const
    ).map(([type, value]) => ({
      name: `${JSON.stringify(value)} for ${type}`,
      given: { x: constant(value) },
      declared: { x: declare(type) },
      wanted: [["type", "/x"]] as const,
    })),
    {
      name: "an integer with a fraction, by the specification",
      given: { x: constant(1.5), y: constant(2 ** 53) },
      declared: { x: declare("int"), y: declare("int") },
      profile: "spec",
      wanted: [
        ["type", "/x"],
        ["type", "/y"],
      ],
    },
    {
      name: "a value that is not allowed",
      given: { x: constant("1") },
      declared: { x: declare("text", { literals: [1] }) },
      wanted: [["literal", "/x"]],
    },
    {
      name: "a selector that fails, or has nothing to select from",
      given: { x: outer("text", "parseJson(string_value)"), y: outer("none", "string_value") },
      wanted: [
        ["selector", "/x/parameterExpressionSelector"],
        ["selector", "/y/parameterExpressionSelector"],
      ],
    },
    {
      name: "placeholders for unknown things in a constant",
      given: { x: constant("{{$.inputs.parameters['nope']}}"), y: constant("a {{$.pipeline_job_uuid}}") },
      wanted: [
        ["placeholder", "/x/runtimeValue/constant"],
        ["placeholder", "/y/runtimeValue/constant"],
      ],
    },
    {
      name: "constants that need each other",
      given: { x: constant("{{$.inputs.parameters['y']}}!"), y: constant("{{$.inputs.parameters['x']}}!") },
      wanted: [
        ["placeholder", "/y/runtimeValue/constant"],
        ["placeholder", "/x/runtimeValue/constant"],
      ],
    },
  ];
  for (const { wanted, ...one } of cases) {
    test(one.name, () => {
      const result = resolve(one);
      expect(result.ok).toBe(false);
      expect(result.problems.map(({ code, path }) => [code, path])).toEqual(
        wanted.map(([code, path]) => [code, `/inputs/parameters${path}`]),
      );
      for (const { message } of result.problems) expect(message).toMatch(/^[^.]+$|\d\.\d/);
    });
  }

  test("all of them at once", () => {
    const result = resolve({
      name: "",
      given: { a: outer("m"), b: {} },
      declared: { c: declare("int"), d: declare("int") },
    });
    expect(result.problems.length).toBe(4);
  });
});

describe("what the back end takes in another way is told:", () => {
  test("a default of a container that is not of its type", () => {
    const declared = { x: declare("int", { defaultValue: "7" }) };
    const message = "the default of x: expected number for type NUMBER_INTEGER, got string";
    expect(resolve({ name: "", declared }).problems).toEqual([
      { code: "type", severity: "warning", path: "/inputs/parameters/x", message },
    ]);
    expect(resolve({ name: "", declared, dag: true })).toMatchObject({
      ok: false,
      problems: [{ code: "type", severity: "error" }],
    });
    expect(resolve({ name: "", declared, profile: "spec" }).ok).toBe(false);
  });
});

describe("artifacts", () => {
  const task = (
    artifacts: NonNullable<NonNullable<PartialMessage<PipelineTaskSpec>["inputs"]>["artifacts"]>,
  ) => PipelineTaskSpec.create({ inputs: { artifacts } });
  const component = ComponentSpec.create({
    inputDefinitions: { artifacts: { needed: {}, optional: { isOptional: true } } },
  });

  test("come from the enclosing DAG and from siblings; optional ones may be absent", () => {
    const result = resolveTaskInputs(
      task({
        needed: { kind: { $case: "componentInputArtifact", value: "data" } },
        optional: {
          kind: { $case: "taskOutputArtifact", value: { producerTask: "failed", outputArtifactKey: "m" } },
        },
        extra: {
          kind: {
            $case: "taskOutputArtifact",
            value: { producerTask: "before", outputArtifactKey: "model" },
          },
        },
      }),
      component,
      scope,
    );
    expect(result).toMatchObject({ ok: true, value: { artifacts: { needed: list, extra: list } } });
    expect(result.ok && Object.keys(result.value.artifacts)).toEqual(["needed", "extra"]);
  });

  const wrong = [
    { given: {}, path: "/inputs/artifacts/needed", code: "missing" },
    { given: { needed: {} }, path: "/inputs/artifacts/needed", code: "no-source" },
    {
      given: { needed: { kind: { $case: "componentInputArtifact", value: "nope" } } },
      path: "/inputs/artifacts/needed/componentInputArtifact",
      code: "unknown-source",
    },
    {
      given: {
        needed: {
          kind: { $case: "taskOutputArtifact", value: { producerTask: "before", outputArtifactKey: "x" } },
        },
      },
      path: "/inputs/artifacts/needed/taskOutputArtifact",
      code: "unknown-source",
    },
  ] as const;
  for (const { given, path, code } of wrong) {
    test(`${code} at ${path}`, () => {
      expect(resolveTaskInputs(task(given), component, scope).problems).toMatchObject([{ code, path }]);
    });
  }
});
