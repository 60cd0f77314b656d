import { describe, expect, test } from "vitest";
import { type ValidateOptions, validatePipeline } from "../src/index.js";

// What looks wrong and is taken by the back end and Kubernetes, beside what is not.

const found = (text: string, options?: ValidateOptions): readonly string[] =>
  validatePipeline(text, options).problems.map(({ severity, code }) => `${severity} ${code}`);

const onKubernetes = (settings: string, container = ""): string => `pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {dag: {tasks: {t: {taskInfo: {name: t}, componentRef: {name: comp-c}}}}}
components: {comp-c: {executorLabel: e}}
deploymentSpec: {executors: {e: {container: {image: 'a:1', command: [b]${container}}}}}
---
platforms: {kubernetes: {deploymentSpec: {executors: {e: {${settings}}}}}}
`;
const secret = (envVar: string): string =>
  `secretAsEnv: [{secretNameParameter: {runtimeValue: {constant: s}}, keyToEnv: [{secretKey: p, envVar: ${envVar}}]}]`;
const config = (envVar: string): string =>
  `configMapAsEnv: [{configMapNameParameter: {runtimeValue: {constant: s}}, keyToEnv: [{configMapKey: p, envVar: ${envVar}}]}]`;
const mounts = (one: string, other: string): string =>
  `pvcMount: [${[one, other].map((path, i) => `{pvcNameParameter: {runtimeValue: {constant: c${i}}}, mountPath: ${path}}`).join(", ")}]`;
const medium = (name: string): string => `emptyDirMounts: [{volumeName: h, mountPath: /h, medium: ${name}}]`;

const settings: readonly (readonly [settings: string, found: readonly string[]])[] = [
  [secret("spring.datasource.password"), ["warning env-name-invalid"]],
  [config("my-var"), ["warning env-name-invalid"]],
  ["fieldPathAsEnv: [{name: pod.name, fieldPath: metadata.name}]", ["warning env-name-invalid"]],
  ["initContainers: [{name: i, image: 'a:1', env: [{name: a.b, value: c}]}]", ["warning env-name-invalid"]],
  [secret("PASSWORD"), []],
  [secret("'A=B'"), ["error platform-value-invalid"]],
  [secret("1A"), ["error platform-value-invalid"]],
  [secret("log level"), ["error platform-value-invalid"]],
  [secret("''"), ["error platform-value-invalid"]],
  [medium("HugePages"), []],
  [medium("HugePages-2Mi"), []],
  [medium("HugePages-1Gi"), []],
  [medium("Memory"), []],
  [medium("HugePages-2"), ["error platform-value-invalid"]],
  [medium("Disk"), ["error platform-value-invalid"]],
  ["podMetadata: {annotations: {Example.com/Key: x}}", []],
  ["podMetadata: {labels: {Example.com/Key: x}}", ["error label-invalid"]],
  ["podMetadata: {annotations: {'a b': x}}", ["error label-invalid"]],
  ["podMetadata: {labels: {a: 'b c'}}", ["error label-invalid"]],
  ["podMetadata: {annotations: {a: 'b c'}}", []],
  ["podMetadata: {labels: {a: '{{$.pipeline_job_name}}'}}", []],
  [mounts("/data", "/data/"), []],
  [mounts("/data/", "/data/"), ["error mount-path-repeated"]],
];
describe("settings of Kubernetes:", () => {
  for (const [text, wanted] of settings) {
    test(text, () => expect([...found(onKubernetes(text))].sort()).toEqual([...wanted].sort()));
  }

  test("a variable of the container is known to it, whatever the executor is called", () => {
    for (const label of ["e", "a/b", "a~b", "~1", "~0", "~01", "a~1b/~0"]) {
      const text = onKubernetes(secret("PASSWORD"), ", env: [{name: PASSWORD, value: x}]")
        .replaceAll("executors: {e:", `executors: {'${label}':`)
        .replace("executorLabel: e", `executorLabel: '${label}'`);
      expect(found(text)).toEqual(["warning env-name-clash"]);
    }
  });

  test("a variable of a setting is told like one of the container", () => {
    expect(found(onKubernetes(secret("a.b"), ", env: [{name: c.d, value: e}]"))).toEqual([
      "warning env-name-invalid",
      "warning env-name-invalid",
    ]);
    expect(found(onKubernetes(secret("a.b")), { profile: "spec" })).toEqual(["error env-name-invalid"]);
  });
});

const claim = (inputs: string): string => `pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {inputDefinitions: {parameters: {nm: {parameterType: STRING, defaultValue: ''}, sx: {parameterType: STRING, defaultValue: -x}}}, dag: {tasks: {mk: {taskInfo: {name: mk}, componentRef: {name: comp-mk}, inputs: {parameters: {access_modes: {runtimeValue: {constant: [ReadWriteOnce]}}, size: {runtimeValue: {constant: 1Gi}}, ${inputs}}}}}}}
components: {comp-mk: {executorLabel: m, inputDefinitions: {parameters: {access_modes: {parameterType: LIST}, size: {parameterType: STRING}, pvc_name: {parameterType: STRING, isOptional: true}, pvc_name_suffix: {parameterType: STRING, isOptional: true}, storage_class_name: {parameterType: STRING, isOptional: true}, volume_name: {parameterType: STRING, isOptional: true}}}, outputDefinitions: {parameters: {name: {parameterType: STRING}}}}}
deploymentSpec: {executors: {m: {container: {image: argostub/createpvc}}}}
`;
const constant = (value: string): string => `{runtimeValue: {constant: '${value}'}}`;
const names: readonly (readonly [name: string, suffix: string, found: readonly string[]])[] = [
  [constant(""), constant("-x"), []],
  [constant("a"), constant(""), []],
  ["{componentInputParameter: nm}", "{componentInputParameter: sx}", []],
  ["{componentInputParameter: nm}", constant("-x"), []],
  [constant("a"), constant("-x"), ["error volume-claim-invalid"]],
];
describe("of the two names of a claim one may be empty, or known at run time:", () => {
  for (const [name, suffix, wanted] of names) {
    test(`${name} and ${suffix}`, () => {
      const codes = found(claim(`pvc_name: ${name}, pvc_name_suffix: ${suffix}`)).filter(
        (one) => !one.includes("unused"),
      );
      expect(codes).toEqual(wanted);
    });
  }
});

const long = (length: number) => "a".repeat(length);
test.each([
  ["pvc_name", "a", true],
  ["pvc_name", "a-1.b", true],
  ["pvc_name", "-a", false],
  ["pvc_name", "a-", false],
  ["pvc_name", long(253), true],
  ["pvc_name", long(254), false],
  // It comes behind another name.
  ["pvc_name_suffix", "-a", true],
  ["pvc_name_suffix", "a-", false],
  ["pvc_name_suffix", "-A", false],
  ["pvc_name_suffix", long(252), true],
  ["pvc_name_suffix", long(253), false],
  ["storage_class_name", "fast", true],
  ["storage_class_name", "-fast", false],
  ["volume_name", "data", true],
  ["volume_name", "-data", false],
])("%s of a claim: %s", (name, value, isGood) => {
  const other = name.startsWith("pvc_name") ? "" : `, pvc_name: ${constant("a")}`;
  expect(
    found(claim(`${name}: ${constant(value)}${other}`)).filter((one) => !one.includes("unused")),
  ).toEqual(isGood ? [] : ["error volume-claim-invalid"]);
});

const order = (makeName: string, make: string, use: string): string => `pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {dag: {tasks: {drop: {taskInfo: {name: drop}, componentRef: {name: comp-rm}, inputs: {parameters: {pvc_name: {runtimeValue: {constant: data}}}}}, make: {taskInfo: {name: make}, componentRef: {name: comp-mk}, dependentTasks: ${make}, inputs: {parameters: {access_modes: {runtimeValue: {constant: [ReadWriteOnce]}}, size: {runtimeValue: {constant: 1Gi}}, pvc_name: {runtimeValue: {constant: ${makeName}}}}}}, use: {taskInfo: {name: use}, componentRef: {name: comp-use}, dependentTasks: ${use}}}}}
components: {comp-rm: {executorLabel: rm, inputDefinitions: {parameters: {pvc_name: {parameterType: STRING}}}}, comp-mk: {executorLabel: mk, inputDefinitions: {parameters: {access_modes: {parameterType: LIST}, size: {parameterType: STRING}, pvc_name: {parameterType: STRING}}}}, comp-use: {executorLabel: use}}
deploymentSpec: {executors: {rm: {container: {image: argostub/deletepvc}}, mk: {container: {image: argostub/createpvc}}, use: {container: {image: 'a:1', command: [b]}}}}
---
platforms: {kubernetes: {deploymentSpec: {executors: {use: {pvcMount: [{mountPath: /d, pvcNameParameter: {runtimeValue: {constant: data}}}]}}}}}
`;
const orders: readonly (readonly [name: string, text: string, hint: string | undefined])[] = [
  ["made anew in between", order("data", "[drop]", "[make]"), undefined],
  [
    "deleted before it is mounted",
    order("other", "[]", "[drop]"),
    "delete it afterwards, or make it anew in between",
  ],
  [
    "made anew too late",
    order("data", "[use]", "[drop]"),
    "delete it afterwards, or make it anew in between",
  ],
  ["deleted at any time", order("data", "[]", "[make]"), 'add "use" to its dependentTasks'],
];
describe("a claim that is deleted is", () => {
  for (const [name, text, hint] of orders) {
    test(name, () => {
      const { problems } = validatePipeline(text);
      const early = problems.filter(({ code }) => code === "volume-deleted-early");
      expect(early.map((problem) => problem.hint)).toEqual(hint === undefined ? [] : [hint]);
    });
  }
});

test("a task that deletes a claim too early is told of once, however many mount it", () => {
  const more =
    "use, again: {taskInfo: {name: again}, componentRef: {name: comp-use}, dependentTasks: []}, use: {";
  const text = order("data", "[]", "[make]").replace("use: {", more.slice(5));
  const early = validatePipeline(text).problems.filter(({ code }) => code === "volume-deleted-early");
  expect(early.map(({ hint }) => hint)).toEqual(['add "again" to its dependentTasks']);
});

test("a lifetime below zero does nothing on the back end, and is an error by the document", () => {
  const text = onKubernetes("").replace(
    "deploymentSpec: {executors: {e: {}}}",
    "pipelineConfig: {resourceTtlOnSuccess: -1}",
  );
  expect(found(text)).toEqual(["warning lifetime-negative"]);
  expect(found(text, { profile: "spec" })).toContain("error lifetime-negative");
});
