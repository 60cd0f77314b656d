import { describe, expect, test } from "vitest";
import { examplePipeline, formatProblems, validatePipeline } from "../src/index.js";

const codesOf = (text: string) => validatePipeline(text).problems.map(({ code }) => code);

/** Another mistake, far from all others: the input of `report` inside of `branch`. */
const far = examplePipeline.replace(
  "message: {componentInputParameter: label}",
  "message: {componentInputParameter: lable}",
);

/** Mistakes of form, each with what it is reported as. */
const mistakes: readonly (readonly [name: string, edit: (text: string) => string, code: string])[] = [
  ["a version that is a number", (text) => text.replace("2.1.0", "2.1"), "wrong-type"],
  ["an unknown key at the top", (text) => `${text}somethingElse: 1\n`, "unknown-field"],
  ["no version", (text) => text.replace("schemaVersion: 2.1.0\n", ""), "schema-version-unsupported"],
  ["a misspelt name of a part", (text) => text.replace("\ncomponents:", "\ncomponent:"), "unknown-field"],
  [
    "a typo in the inputs of the root",
    (text) => text.replace("  inputDefinitions:\n", "  inputDefinition:\n"),
    "unknown-field",
  ],
  ["a type that there is not", (text) => text.replace("NUMBER_INTEGER}", "INTEGER}"), "unknown-enum-value"],
  [
    "a typo in a task",
    (text) => text.replace("        dependentTasks: [prepare]", "        dependendTasks: [prepare]"),
    "unknown-field",
  ],
  [
    "a type of an artifact that is a text",
    (text) =>
      text.replace(
        "{artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}",
        "{artifactType: system.Dataset}",
      ),
    "wrong-type",
  ],
  [
    "a type of an artifact under another name",
    (text) =>
      text.replace(
        "{artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}",
        "{kindOfThing: {}}",
      ),
    "unknown-field",
  ],
  [
    "executors at the top",
    (text) => text.replace("deploymentSpec:\n  executors:", "executors:"),
    "unknown-field",
  ],
  [
    "no blank behind a colon",
    (text) =>
      text.replace(
        "{producerTask: prepare, outputArtifactKey: data}",
        "{producerTask: prepare, outputArtifactKey:data}",
      ),
    "unknown-field",
  ],
  [
    "a component that is null",
    (text) => text.replace("  comp-report:\n", "  comp-other:\n  comp-report:\n"),
    "unexpected-null",
  ],
];

describe("a mistake of form", () => {
  for (const [name, edit, code] of mistakes) {
    test(`(${name}) is found, and hides no other`, () => {
      const text = edit(far);
      expect(text).not.toBe(far);
      const codes = codesOf(text);
      expect(codes).toContain(code);
      expect(codes).toContain("parent-input-unknown");
      // It is the only thing that is found of an otherwise good file.
      expect(codesOf(edit(examplePipeline))).toEqual([code]);
    });
  }

  test("that leaves out the field of the executors hides that there are none", () => {
    const text = examplePipeline.replace("deploymentSpec:\n  executors:", "deploymentSpec:");
    expect(new Set(codesOf(text))).toEqual(new Set(["unknown-field"]));
    // No back end finds these executors.
    expect(validatePipeline(text).ok).toBe(false);
  });

  test.each([
    ["of a field that executors are in", "deploymentSpec:\n  kubernetes:\n    executors:", {}],
    ["that somebody made a warning", "deployment:\n  executors:", { "unknown-field": "warning" }],
  ] as const)("hides no error when it is none itself: one %s", (_, around, rules) => {
    const text = examplePipeline
      .replace("deploymentSpec:\n  executors:", around)
      .replace(/(?<=\n {4}executors:\n)[\s\S]*/, (executors) => executors.replaceAll(/^ /gm, "   "));
    const { ok, problems } = validatePipeline(text, { rules });
    const levels = new Map(problems.map(({ code, severity }) => [code, severity]));
    expect([ok, levels.get("unknown-field"), levels.get("executor-unknown")]).toEqual([
      false,
      "warning",
      "error",
    ]);
  });

  test.each([
    ["has the name of one that is there", examplePipeline, "exec-report"],
    ["has a name that nothing asks for", examplePipeline, "exec-old"],
    [
      "is asked for by a component that no run comes to",
      examplePipeline.replace("  comp-report:\n", "  comp-old: {executorLabel: exec-old}\n  comp-report:\n"),
      "exec-old",
    ],
  ])("is none that a run comes to, when an executor beside all others %s", (_, pipeline, label) => {
    const stray = `deploymentSpec:\n  ${label}: {container: {image: busybox, command: [date]}}\n`;
    const { ok, problems } = validatePipeline(pipeline.replace("deploymentSpec:\n", stray));
    const found = problems.map(({ code, severity, path }) => `${severity} ${code} ${path}`);
    expect(ok).toBe(true);
    expect(found).toContain(`warning unknown-field /deploymentSpec/${label}`);
  });

  test("is one, when a task runs an executor that stands beside all others", () => {
    const text = examplePipeline
      .replace(/ {4}exec-report:\n[\s\S]*/, "")
      .replace(
        "deploymentSpec:\n",
        "deploymentSpec:\n  exec-report: {container: {image: busybox, command: [date]}}\n",
      );
    const { problems, unchecked } = validatePipeline(text);
    const errors = problems.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "executor-unknown /components/comp-report/executorLabel",
      "unknown-field /deploymentSpec/exec-report",
    ]);
    expect(unchecked).toMatchObject([{ path: "/deploymentSpec/exec-report", hidden: 0 }]);
  });

  test("of the name and of the value of a field are two mistakes, and no third", () => {
    const text = examplePipeline.replace("componentRef: {name: comp-train}", "component: comp-train");
    expect(codesOf(text)).toEqual(["unknown-field", "wrong-type"]);
  });

  test("in what a task gives does not make it give nothing", () => {
    const optional = examplePipeline
      .replace("message: {parameterType: STRING}", "message: {parameterType: STRING, isOptional: true}")
      .replace("message: {componentInputParameter: label}", "message: label");
    expect(codesOf(optional)).toEqual(["wrong-type"]);
  });

  test.each([
    [
      "outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset}}}}",
      "outputDefinitions: nothing",
    ],
    ["importer: {typeSchema: {schemaTitle: system.Dataset}", "importer: {typeSchema: system.Dataset"],
  ])("in an importer: %s becomes %s", (before, after) => {
    const importer = `pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {dag: {tasks: {import: {taskInfo: {name: import}, componentRef: {name: comp-import}}}}}
components:
  comp-import:
    executorLabel: exec-import
    outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset}}}}
deploymentSpec: {executors: {exec-import: {importer: {typeSchema: {schemaTitle: system.Dataset}, artifactUri: {constant: 'gs://b/d'}}}}}
`;
    expect(codesOf(importer)).toEqual([]);
    expect(codesOf(importer.replace(before, after))).toEqual(["wrong-type"]);
  });

  test.each([
    ["container:", "contanier:"],
    ["image:", "iamge:"],
    ["command:", "comand:"],
    ["args:", "arsg:"],
    ["importer:", "improter:"],
    ["artifactUri:", "artifcatUri:"],
    ["constant:", "contsant:"],
    ["typeSchema:", "typeSchmea:"],
    ["resourceType:", "reosurceType:"],
    ["resourceCount:", "resourceCoutn:"],
  ])("in an executor: %s becomes %s", (before, after) => {
    const text = `pipelineInfo: {name: a}
schemaVersion: 2.1.0
root:
  dag:
    tasks:
      import: {taskInfo: {name: import}, componentRef: {name: comp-import}}
      say: {taskInfo: {name: say}, componentRef: {name: comp-say}}
components:
  comp-import:
    executorLabel: exec-import
    outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset}}}}
  comp-say:
    executorLabel: exec-say
    outputDefinitions: {parameters: {Output: {parameterType: STRING}}}
deploymentSpec:
  executors:
    exec-import: {importer: {typeSchema: {schemaTitle: system.Dataset}, artifactUri: {constant: 'gs://b/d'}}}
    exec-say:
      container:
        image: 'python:3.12'
        command: [python3, -m, kfp.dsl.executor_main]
        args: [--executor_input, '{{$}}', --function_to_execute, say]
        resources: {accelerator: {resourceType: nvidia.com/gpu, resourceCount: '1'}}
`;
    expect(codesOf(text)).toEqual([]);
    expect(text.split(before)).toHaveLength(2);
    const { problems, unchecked } = validatePipeline(text.replace(before, after));
    expect(problems.map(({ code }) => code)).toEqual(["executor-field-misspelt"]);
    expect(problems[0]?.hint).toBe(`did you mean "${before.slice(0, -1)}"?`);
    expect(unchecked.map(({ reason }) => reason)).toEqual(["unknown-field"]);
  });

  test.each([
    ["outputArtifactQueries: {artifact: {filter: ''}}", "outputArtifactQueries: all"],
    [
      "outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset}}}}",
      "outputDefinitions: nothing",
    ],
  ])("in a resolver: %s becomes %s", (before, after) => {
    const resolver = `pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {dag: {tasks: {find: {taskInfo: {name: find}, componentRef: {name: comp-find}}}}}
components:
  comp-find:
    executorLabel: exec-find
    outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset}}}}
deploymentSpec: {executors: {exec-find: {resolver: {outputArtifactQueries: {artifact: {filter: ''}}}}}}
`;
    expect(codesOf(resolver)).toEqual(["executor-unsupported"]);
    expect(codesOf(resolver.replace(before, after)).sort()).toEqual(["executor-unsupported", "wrong-type"]);
  });

  test("in a key of a secret does not make it give none", () => {
    const settings =
      "{secretAsEnv: [{secretNameParameter: {runtimeValue: {constant: db}}, keyToEnv: [password]}]}";
    const text = `${examplePipeline}---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-report: ${settings}}}}}\n`;
    expect(codesOf(text)).toEqual(["platform-field-type"]);
  });

  test("in a task does not hide a cycle that it is part of", () => {
    const text = examplePipeline.replace(
      "componentRef: {name: comp-prepare}",
      "componentRefs: {name: comp-prepare}\n        dependentTasks: [train]",
    );
    expect(codesOf(text).sort()).toEqual(["task-cycle", "unknown-field"]);
  });

  test("of a field under a misspelt one has its own place", () => {
    const text = examplePipeline
      .replace("  inputDefinitions:\n", "  inputDefinition:\n")
      .replace(
        "rows: {parameterType: NUMBER_INTEGER}",
        "rows: {parameterType: NUMBER_INTEGER, defaultValue: many}",
      );
    const found = validatePipeline(text).problems.find(({ code }) => code === "default-type-mismatch");
    expect(text.slice(found?.range?.start.offset, found?.range?.end.offset)).toBe("many");
  });
});

describe("what cannot be read", () => {
  const broken = examplePipeline.replace(
    "  dag:\n    tasks:\n      prepare:",
    "  dag:\n    tasks:\n      - prepare:",
  );

  test("is counted among what was not checked, with the reason and what it hides", () => {
    const outputs = examplePipeline.slice(
      examplePipeline.indexOf("    outputDefinitions:"),
      examplePipeline.indexOf("  comp-train:"),
    );
    const text = examplePipeline.replace(outputs, "    outputDefinitions: [data, label]\n");
    const report = validatePipeline(text);
    expect(report.problems.map(({ code }) => code)).toEqual(["wrong-type"]);
    expect(report.unchecked).toMatchObject([
      { path: "/components/comp-prepare/outputDefinitions", reason: "wrong-type", hidden: 5 },
    ]);
    expect(formatProblems(report)).toMatch(/1 error; 1 part of the file could not be checked\n$/);
  });

  test("is everything, when the text is no YAML", () => {
    const report = validatePipeline(broken);
    expect(report.ok).toBe(false);
    expect(report.unchecked).toMatchObject([{ path: "", reason: "yaml-syntax", hidden: 0 }]);
    expect(formatProblems(report)).toMatch(/nothing else could be checked\n$/);
  });

  test("is told with the first place that is none, where there are several", () => {
    const { problems, unchecked } = validatePipeline("a: b: c\nd: e: f\n");
    expect(problems.map(({ code, range }) => [code, range?.start.line])).toEqual([
      ["yaml-syntax", 1],
      ["yaml-syntax", 2],
    ]);
    expect(unchecked).toEqual([{ path: "", range: problems[0]?.range, reason: "yaml-syntax", hidden: 0 }]);
  });

  test("is nothing, in a file whose form is right", () => {
    expect(validatePipeline(far).unchecked).toEqual([]);
  });

  test.each([
    [
      "    executorLabel: exec-report",
      "    executor_label: exec-report\n    executorLabel: exec-gone",
      "executor-unknown",
    ],
    [
      "{name: comp-train}",
      "{name: comp-gone}\n        component_ref: {name: comp-train}",
      "component-unknown",
    ],
    ["  inputDefinitions:\n", "  input_definitions: {}\n  inputDefinitions:\n", undefined],
  ])(
    "is nothing of a field that stands twice, which hides nothing: %j becomes %j",
    (before, after, missed) => {
      const { problems, unchecked } = validatePipeline(examplePipeline.replace(before, after));
      const errors = problems.filter(({ severity }) => severity === "error").map(({ code }) => code);
      expect(errors.sort()).toEqual(["duplicate-field", ...(missed === undefined ? [] : [missed])].sort());
      expect(unchecked).toEqual([]);
    },
  );

  test("hides only what may stand in it", () => {
    const text = examplePipeline
      .replace("{componentInputParameter: rows}", "{componentInputParameter: raws}")
      .replace("  comp-report:\n    executorLabel: exec-report", "  comp-report:\n    surplus: 1");
    const report = validatePipeline(text);
    // The executor of the component may be what the unknown field was to say; that the root has no such input stands.
    expect(report.problems.filter(({ severity }) => severity === "error").map(({ code }) => code)).toEqual([
      "parent-input-unknown",
      "unknown-field",
    ]);
    expect(report.unchecked).toMatchObject([
      { path: "/components/comp-report/surplus", reason: "unknown-field" },
    ]);
  });
});
