import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { examplePipeline, validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

const found = (patch: string) =>
  validatePipeline(exampleText("patch", patch)).problems.map(({ code, severity }) => `${severity} ${code}`);

describe("a file of schema 2.0.0", () => {
  const text = readFileSync(new URL("../testdata/older/schema_2_0_0.json", import.meta.url), "utf8");

  test("is refused as the server does, with one finding that says so", () => {
    expect(validatePipeline(text).problems.map(({ code }) => code)).toEqual(["schema-version-unsupported"]);
  });

  test("is a file like any other by the document", () => {
    expect(validatePipeline(text, { profile: "spec" }).ok).toBe(true);
  });

  test("is still searched for mistakes", () => {
    const broken = text.replace('"name": "comp-make"', '"name": "comp-mkae"');
    expect(validatePipeline(broken).problems.map(({ code }) => code)).toContain("component-unknown");
  });
});

describe("the outputs of a loop are lists, whatever its body declares", () => {
  const collected = (kind: string, declared: string) => `
root:
  dag:
    tasks:
      sum: {taskInfo: {name: sum}, componentRef: {name: comp-sum}, dependentTasks: [loop], inputs: {parameters: {numbers: {taskOutputParameter: {producerTask: loop, outputParameterKey: text}}}}}
components:
  comp-sum: {executorLabel: exec-sum, inputDefinitions: {parameters: {numbers: {parameterType: ${kind}}}}}
  comp-report: {outputDefinitions: {parameters: {text: {parameterType: NUMBER_INTEGER}}}}
  comp-loop:
    outputDefinitions: {parameters: {text: {parameterType: ${declared}}}}
    dag: {outputs: {parameters: {text: {valueFromParameter: {producerSubtask: report, outputParameterKey: text}}}}}
deploymentSpec: {executors: {exec-sum: {container: {image: busybox, command: [sum]}}, exec-report: {container: {args: ['{{$}}']}}}}
`;
  for (const declared of ["NUMBER_INTEGER", "LIST"]) {
    test(`and fit a list when it declares ${declared}`, () =>
      expect(found(collected("LIST", declared))).toEqual([]));
    test(`and no number when it declares ${declared}`, () => {
      expect(found(collected("NUMBER_INTEGER", declared))).toEqual(["error input-type-mismatch"]);
    });
  }

  test("and lists of artifacts", () => {
    const patch = (isArtifactList: boolean) => `
root:
  dag:
    tasks:
      sum: {taskInfo: {name: sum}, componentRef: {name: comp-sum}, dependentTasks: [loop], inputs: {artifacts: {all: {taskOutputArtifact: {producerTask: loop, outputArtifactKey: text}}}}}
components:
  comp-sum: {executorLabel: exec-sum, inputDefinitions: {artifacts: {all: {artifactType: {schemaTitle: system.HTML}, isArtifactList: ${isArtifactList}}}}}
  comp-report: {outputDefinitions: {artifacts: {text: {artifactType: {schemaTitle: system.HTML}}}}}
  comp-loop:
    outputDefinitions: {artifacts: {text: {artifactType: {schemaTitle: system.HTML}}}}
    dag: {outputs: {artifacts: {text: {artifactSelectors: [{producerSubtask: report, outputArtifactKey: text}]}}}}
deploymentSpec: {executors: {exec-sum: {container: {image: busybox, command: [sum]}}, exec-report: {container: {args: ['{{$}}']}}}}
`;
    expect(found(patch(true))).toEqual([]);
    expect(found(patch(false))).toEqual(["error artifact-list-mismatch"]);
  });
});

const good: readonly (readonly [name: string, patch: string])[] = [
  [
    "an optional root input of a type that only the system fills",
    "root: {inputDefinitions: {parameters: {status: {parameterType: TASK_FINAL_STATUS, isOptional: true}}}}",
  ],
  [
    "a relative mount path",
    "{}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-report: {pvcMount: [{constant: c, mountPath: path}]}}}}}",
  ],
  [
    "a claim patch of a workspace that leaves all to the server",
    "{}\n---\nplatforms: {kubernetes: {pipelineConfig: {workspace: {size: 1Gi, kubernetes: {pvcSpecPatch: {}}}}}}",
  ],
  [
    "a claim patch that only names a storage class",
    "{}\n---\nplatforms: {kubernetes: {pipelineConfig: {workspace: {size: 1Gi, kubernetes: {pvcSpecPatch: {storageClassName: fast}}}}}}",
  ],
];
describe("no error is found in", () => {
  for (const [name, patch] of good) {
    test(name, () => expect(found(patch).filter((line) => line.startsWith("error"))).toEqual([]));
  }
});

test("a default of any type is text for a STRING, to the back end", () => {
  const patch =
    "root: {inputDefinitions: {parameters: {port: {parameterType: STRING, isOptional: true, defaultValue: 8080}}}}";
  expect(found(patch).filter((one) => one.startsWith("error"))).toEqual([]);
  const strict = validatePipeline(exampleText("patch", patch), { profile: "spec" });
  expect(strict.problems.map(({ code }) => code)).toContain("default-type-mismatch");
});

describe("templates of other tools are no placeholders:", () => {
  for (const text of [
    "image: {{ $.Values.image }}",
    "docker inspect -f '{{$.Name}}' x",
    "kubectl get pod -o go-template='{{ $.status.phase }}'",
    "{{ $.inputs.foo }}",
    "{{range $i, $p := .items}}{{$p.name}}{{end}}",
  ]) {
    test(text, () => {
      const patch = `deploymentSpec: {executors: {exec-report: {container: {args: [${JSON.stringify(text)}]}}}}`;
      expect(found(patch).filter((one) => one.includes("placeholder"))).toEqual([]);
    });
  }
});

describe("a placeholder for an image", () => {
  const withImage = (supplied: unknown, text = "{{$.inputs.parameters['base_image']}}") => {
    const pipeline = parse(examplePipeline);
    pipeline.deploymentSpec.executors["exec-train"].container.image = text;
    pipeline.root.dag.tasks.train.inputs.parameters.base_image = supplied;
    return validatePipeline(stringify(pipeline)).problems.map(({ code }) => code);
  };

  test("may name an input that tasks supply and no component declares", () => {
    expect(withImage({ runtimeValue: { constant: "python:3.12" } })).toEqual([]);
    const label = { producerTask: "prepare", outputParameterKey: "label" };
    expect(withImage({ taskOutputParameter: label })).toEqual([]);
  });

  test("gives nothing when that is no text", () => {
    expect(withImage({ runtimeValue: { constant: 3.12 } })).toEqual(["placeholder-not-text"]);
    expect(withImage({ componentInputParameter: "rows" })).toEqual(["placeholder-not-text"]);
  });

  for (const text of ["{{$.inputs.parameters('label')}}", "{{$.inputs.parameters[0]}}"]) {
    test(`is one in its exact form only: not ${text}`, () => {
      expect(withImage({ runtimeValue: { constant: "x" } }, text)).toContain("placeholder-invalid");
    });
  }
});

describe("an amount that is given twice, as a number of gigabytes and as a text", () => {
  const resources = (fields: string) =>
    found(`deploymentSpec: {executors: {exec-report: {container: {resources: {${fields}}}}}}`).filter(
      (one) => one !== "info deprecated-field",
    );

  test("is right when both are the same", () => {
    expect(resources("memoryLimit: 1.073741824, resourceMemoryLimit: 1Gi")).toEqual([]);
    expect(resources("memoryRequest: 0.512, resourceMemoryRequest: 512M")).toEqual([]);
    expect(resources("cpuLimit: 0.5, resourceCpuLimit: 500m")).toEqual([]);
  });

  test("is told when they differ", () => {
    expect(resources("memoryLimit: 2, resourceMemoryLimit: 1Gi")).toEqual(["warning resource-overridden"]);
    expect(resources("memoryLimit: 1073741824, resourceMemoryLimit: 1Gi")).toEqual([
      "warning resource-overridden",
    ]);
  });
});

test("a loop in a loop may declare the types of their items for what comes out, as compilers did before 2.1", () => {
  const text = `
pipelineInfo: {name: collected}
schemaVersion: 2.1.0
root:
  dag:
    tasks:
      outer:
        taskInfo: {name: outer}
        componentRef: {name: comp-outer}
        parameterIterator: {itemInput: i, items: {raw: '["a", "b"]'}}
      use:
        taskInfo: {name: use}
        componentRef: {name: comp-use}
        inputs: {parameters: {l: {taskOutputParameter: {producerTask: outer, outputParameterKey: o}}}}
components:
  comp-outer:
    inputDefinitions: {parameters: {i: {parameterType: STRING}}}
    outputDefinitions: {parameters: {o: {parameterType: STRING}}}
    dag:
      outputs: {parameters: {o: {valueFromParameter: {producerSubtask: inner, outputParameterKey: o}}}}
      tasks:
        inner:
          taskInfo: {name: inner}
          componentRef: {name: comp-inner}
          parameterIterator: {itemInput: j, items: {raw: '[1, 2]'}}
  comp-inner:
    inputDefinitions: {parameters: {j: {parameterType: NUMBER_INTEGER}}}
    outputDefinitions: {parameters: {o: {parameterType: NUMBER_INTEGER}}}
    dag:
      outputs: {parameters: {o: {valueFromParameter: {producerSubtask: say, outputParameterKey: o}}}}
      tasks: {say: {taskInfo: {name: say}, componentRef: {name: comp-say}}}
  comp-say: {executorLabel: e, outputDefinitions: {parameters: {o: {parameterType: STRING}}}}
  comp-use: {executorLabel: e, inputDefinitions: {parameters: {l: {parameterType: LIST}}}}
deploymentSpec: {executors: {e: {container: {image: a, command: [b, '{{$}}']}}}}
`;
  const rules = { "container-shared": "off" } as const;
  expect(validatePipeline(text, { rules }).problems).toEqual([]);
  expect(validatePipeline(text, { profile: "spec" }).ok).toBe(false);
});

test("what is said of a task does not depend on what others get wrong", () => {
  const text = (others: number) => `
pipelineInfo: {name: a}
schemaVersion: 2.1.0
root:
  dag:
    tasks:
      a: {taskInfo: {name: a}, componentRef: {name: comp-a}, inputs: {parameters: {${Array.from({ length: others }, (_, i) => `other${i}: {runtimeValue: {constant: 1}}`).join(", ")}}}}
      b: {taskInfo: {name: b}, componentRef: {name: comp-b}, inputs: {parameters: {learning_rat: {runtimeValue: {constant: 1}}}}}
components:
  comp-a: {executorLabel: e, inputDefinitions: {parameters: {${Array.from({ length: 100 }, (_, i) => `some${i}: {parameterType: STRING, isOptional: true}`).join(", ")}}}}
  comp-b: {executorLabel: e, inputDefinitions: {parameters: {learning_rate: {parameterType: NUMBER_DOUBLE, isOptional: true}}}}
deploymentSpec: {executors: {e: {container: {image: a, command: [b, '{{$}}']}}}}
`;
  for (const others of [0, 30, 3000]) {
    const { problems } = validatePipeline(text(others), { maxProblems: 10_000 });
    const ofTask = problems.filter(({ path }) => path.startsWith("/root/dag/tasks/b"));
    expect(ofTask.map(({ code }) => code)).toEqual(["input-misspelt"]);
  }
});

describe("components of the hosted service", () => {
  const report = (argument: string) => `
components: {comp-report: {outputDefinitions: {parameters: {text: {parameterType: STRING}}}}}
deploymentSpec: {executors: {exec-report: {container: {args: [${JSON.stringify(argument)}]}}}}
`;

  test("escape what they hand on, which only the hosted service fills in", () => {
    const argument =
      '{"args": ["--columns={{$.inputs.parameters[\'message\'].json_escape[0]}}", "--executor_input={{$.json_escape[1]}}"]}';
    expect(found(report(argument))).toEqual([
      "warning placeholder-unsupported",
      "warning placeholder-unsupported",
    ]);
  });

  test("name inputs that are there", () => {
    const argument = "{{$.inputs.parameters['mesage'].json_escape[0]}} {{$.json_escape[1]}}";
    expect(found(report(argument))).toContain("error placeholder-unknown");
  });
});
