import { describe, expect, test } from "vitest";
import { hintOfField } from "./field-hints.js";
import { formHint } from "./form-hints.js";
import { shortLine } from "./short-line.js";

const text60 = "x".repeat(60);
const text61 = "x".repeat(61);

describe("what to write in the place of a value of another form", () => {
  const leaveOut = "leave out the list around it, or its dash";
  type Row = [expected: string, json: unknown, hint?: string | undefined];
  const textAs = (message: string, field: string): readonly Row[] => [
    [message, "a", `write {${field}: a}`],
    [message, "a: b", `write {${field}: "a: b"}`],
    [message, text60, `write {${field}: ${text60}}`],
    [message, text61, `write {${field}: …}`],
    [message, 5],
    [message, null],
    [message, ["a"]],
    [message, [{ [field]: "a" }], leaveOut],
    [message, [{}, {}]],
    [message, []],
  ];
  const outputAs = (message: string, key: string): readonly Row[] => [
    [message, "load", `write {producerTask: load, ${key}: …}`],
    [message, "load.data", `write {producerTask: load, ${key}: data}`],
    [message, "load-1.output.data_2", `write {producerTask: load-1, ${key}: data_2}`],
    [message, "load.outputs.data", `write {producerTask: load, ${key}: data}`],
    [message, "load.outputs", `write {producerTask: load, ${key}: outputs}`],
    [message, "load.outputs.parameters.data"],
    [message, "load."],
    [message, ".data"],
    [message, "load data"],
    [message, " load"],
    [message, "load "],
    [message, 5],
    [message, [{}], leaveOut],
  ];
  const rows: readonly Row[] = [
    ...textAs("ArtifactTypeSchema", "schemaTitle"),
    ...textAs("ComponentRef", "name"),
    ...textAs("PipelineInfo", "name"),
    ...textAs("PipelineTaskInfo", "name"),
    ...textAs("TaskFinalStatus", "producerTask"),
    ...textAs("TriggerPolicy", "condition"),
    ...outputAs("TaskOutputArtifactSpec", "outputArtifactKey"),
    ...outputAs("TaskOutputParameterSpec", "outputParameterKey"),
    ["CachingOptions", true, "write {enableCache: true}"],
    ["CachingOptions", false, "write {enableCache: false}"],
    ["CachingOptions", "true"],
    ["CachingOptions", [{}], leaveOut],
    ["EnvVar", "A=b", "write {name: A, value: b}"],
    ["EnvVar", "A=", 'write {name: A, value: ""}'],
    ["EnvVar", "A=b=c\nd", 'write {name: A, value: "b=c\\nd"}'],
    ["EnvVar", `A=${text61}`, "write {name: A, value: …}"],
    ["EnvVar", "A"],
    ["EnvVar", "A B=c"],
    ["EnvVar", "=c"],
    ["EnvVar", 5],
    ["ImagePullSecret", "a", "write {secretNameParameter: {runtimeValue: {constant: a}}}"],
    ["ImagePullSecret", 5],
    ["InputParameterSpec", "a", "write {runtimeValue: {constant: a}}"],
    ["InputParameterSpec", null, "write {runtimeValue: {constant: null}}"],
    ["InputParameterSpec", [1, "b"], "write {runtimeValue: {constant: [1, b]}}"],
    ["InputParameterSpec", text61, "write {runtimeValue: {constant: …}}"],
    ["ValueOrRuntimeParameter", 0.5, "write {constant: 0.5}"],
    ["ValueOrRuntimeParameter", [text61], "write {constant: …}"],
    ["ParameterItemsSpec", "names", "write {inputParameter: names}"],
    ["ParameterItemsSpec", ["a", "it's"], `write {raw: '["a","it''s"]'}`],
    ["ParameterItemsSpec", ["it's", "it's"], `write {raw: '["it''s","it''s"]'}`],
    ["ParameterItemsSpec", ["x".repeat(56)], `write {raw: '["${"x".repeat(56)}"]'}`],
    ["ParameterItemsSpec", ["x".repeat(57)], "write {raw: '[…]'}"],
    ["ParameterItemsSpec", 5],
    ["DagSpec", "a"],
    ["DagSpec", [{ tasks: {} }], leaveOut],
    ["DagSpec", [5]],
    ["DagSpec", [[]]],
    ["DagSpec", [{}, {}]],
    // A map.
    ["map", ["a"], "write a name and a colon in the place of each dash"],
    ["map", "a"],
    ["map", null],
  ];
  test.each<Row>(rows)("%s: %j", (expected, json, hint) => {
    expect(formHint(expected, json)).toBe(hint);
  });

  const dashes = "put a dash before each item";
  const words = "make each word an item of the list";
  test.each<[json: unknown, key: string | undefined, hint?: string | undefined]>([
    ["a", "command", "write [a]"],
    ["a b", "command", words],
    ["a\tb", "args", words],
    ["a b", "dependentTasks", "write [a b]"],
    ["a b", undefined, "write [a b]"],
    [5, "args", "write [5]"],
    [text61, "args", "write […]"],
    [null, "args", undefined],
    [{}, "args", dashes],
    [{ a: "b" }, undefined, dashes],
    [{}, "env", dashes],
    [{ A: "b", C: "d" }, "env", "write a list of {name: A, value: b}"],
    [{ A: text61 }, "env", "write a list of {name: A, value: …}"],
    [{ A: 5 }, "environ", dashes],
  ])("a list: %j of %s", (json, key, hint) => {
    expect(formHint("list", json, key)).toBe(hint);
  });

  test.each<[json: unknown, key: string | undefined, hint?: string | undefined]>([
    [["a"], "image", "write a"],
    [["a: b"], undefined, 'write "a: b"'],
    [["a", "b"], "image", undefined],
    [[], "image", undefined],
    [[5], "image", undefined],
    [[text61], "image", "write …"],
    [["a", "it's"], "raw", `write '["a","it''s"]'`],
    [[], "raw", "write '[]'"],
    [[text61], "raw", "write '[…]'"],
    [{}, "image", undefined],
    [null, "image", undefined],
  ])("a text: %j of %s", (json, key, hint) => {
    expect(formHint("text", json, key)).toBe(hint);
  });
});

describe("the type of a parameter by the name that others have for it:", () => {
  const names: Readonly<Record<string, readonly string[]>> = {
    STRING: ["str", "string", "Text"],
    NUMBER_INTEGER: ["int", "INTEGER", "number_integer", "int64", "int32"],
    NUMBER_DOUBLE: ["float", "Double", "number", "number_double", "float64"],
    BOOLEAN: ["bool", "Boolean"],
    LIST: ["list", "array", "JsonArray"],
    STRUCT: ["struct", "dict", "map", "object", "json", "JsonObject"],
  };
  for (const [type, others] of Object.entries(names)) {
    test.each(others)(`${type} for %s`, (name) => {
      expect(formHint("ParameterType", name)).toBe(`did you mean "${type}"?`);
      expect(formHint("PrimitiveType", name)).toBe(`write parameterType: ${type}`);
      for (const longer of [`${name}x`, `x${name}`]) {
        expect(formHint("ParameterType", longer)).toBeUndefined();
        expect(formHint("PrimitiveType", longer)).toBeUndefined();
      }
    });
  }

  test("and nothing for what is no name", () => {
    for (const json of ["", 5, null, {}, []]) {
      expect(formHint("ParameterType", json)).toBeUndefined();
      expect(formHint("PrimitiveType", json)).toBeUndefined();
    }
    expect(formHint("ParameterType", ["STRING"])).toBe("write STRING");
    expect(formHint("PrimitiveType", ["STRING"])).toBeUndefined();
  });
});

describe("what to do about a field that a message does not have:", () => {
  const kubernetes = "leave it out: a pipeline is no resource of Kubernetes";
  const platform = "it belongs to the settings of the executor in the platform specification";
  const artifact = "an artifact comes from a task or an input: import it";
  const executors = "put it below executors";
  const below = (name: string) => `put it below ${name}`;
  const constant = (field: string, value = "a") => `write ${field}: {runtimeValue: {constant: ${value}}}`;
  type Row = [message: string, value: unknown, key: string | number, hint?: string | undefined];
  const rows: readonly Row[] = [
    ...["ConfigMapKeyToEnvMap", "SecretKeyToEnvMap"].flatMap((name): Row[] => [
      [name, "a", "key", name.startsWith("Config") ? "write configMapKey" : "write secretKey"],
      [name, "a", "env", "write envVar"],
      [name, {}, "name", "write envVar"],
      [name, "a", "other"],
    ]),
    ["InputArtifactSpec", {}, "taskOutputParameter", "write taskOutputArtifact"],
    ["InputArtifactSpec", "a", "componentInputParameter", "write componentInputArtifact"],
    ["InputArtifactSpec", {}, "runtimeValue", artifact],
    ["InputParameterSpec", {}, "taskOutputArtifact", "write taskOutputParameter"],
    ["InputParameterSpec", "a", "componentInputArtifact", "write componentInputParameter"],
    ["ParameterIteratorSpec", 2, "parallelismLimit", "write iteratorPolicy.parallelismLimit of the task"],
    ["PipelineContainerSpec", [], "cmd", "write command"],
    ["PipelineContainerSpec", [], "entrypoint", "write command"],
    ["PipelineContainerSpec", [], "arguments", "write args"],
    ["PipelineContainerSpec", [], "environment", "write env"],
    ...["imagePullPolicy", "nodeSelector", "securityContext", "tolerations", "volumeMounts"].map(
      (key): Row => ["PipelineContainerSpec", {}, key, platform],
    ),
    ["PipelineSpec", "a", "apiVersion", kubernetes],
    ["PipelineSpec", "a", "kind", kubernetes],
    ["PipelineSpec", {}, "executors", "write deploymentSpec.executors"],
    ["PipelineSpec", {}, "pipeline", "write pipelineInfo"],
    [
      "PipelineSpec",
      {},
      "platforms",
      "put --- before it: the platform specification is a document of its own",
    ],
    ["PipelineSpec", {}, "tasks", "write root.dag.tasks"],
    ["PipelineTaskSpec", [], "depends", "write dependentTasks"],
    ["PipelineTaskSpec", [], "dependsOn", "write dependentTasks"],
    ["ResourceSpec", {}, "limits", "write resourceCpuLimit and resourceMemoryLimit"],
    ["ResourceSpec", {}, "requests", "write resourceCpuRequest and resourceMemoryRequest"],
    ["SinglePlatformSpec", {}, "deployment", "write deploymentSpec"],
    ["SinglePlatformSpec", {}, "deploymentConfig", "write deploymentSpec"],
    ["TaskOutputArtifactSpec", "a", "outputParameterKey", "write outputArtifactKey"],
    ["TaskOutputParameterSpec", "a", "outputArtifactKey", "write outputParameterKey"],
    ["PipelineSpec", {}, "constructor"],
    ["Nothing", {}, "cmd"],
    // Executors that stand one level too high.
    ["PlatformDeploymentConfig", {}, "exec-a", executors],
    ["PlatformDeploymentConfig", {}, "my-exec-a"],
    ["PlatformDeploymentConfig", "a", "exec-a"],
    ["PipelineDeploymentConfig", { container: {} }, "a", executors],
    ["PipelineDeploymentConfig", { importer: {}, a: 1 }, "a", executors],
    ["PipelineDeploymentConfig", { a: 1 }, "exec-a"],
    ["PipelineDeploymentConfig", [], "exec-a"],
    // And inputs.
    ...["componentInputParameter", "runtimeValue", "taskFinalStatus", "taskOutputParameter"].map(
      (field): Row => ["TaskInputsSpec", { [field]: {} }, "a", below("parameters")],
    ),
    ...["componentInputArtifact", "taskOutputArtifact"].map(
      (field): Row => ["TaskInputsSpec", { [field]: {} }, "a", below("artifacts")],
    ),
    ["TaskInputsSpec", { container: {} }, "a"],
    ["TaskInputsSpec", "runtimeValue", "a"],
    // Texts.
    ["EnvVar", "b", "A", "write {name: A, value: b}"],
    ["EnvVar", text61, text61, "write {name: …, value: …}"],
    ["EnvVar", {}, "A"],
    ["NodeSelector", "ssd", "disk", below("labels")],
    ["NodeSelector", {}, "disk"],
    ["PodMetadata", "a", "team", "put it below labels or annotations"],
    ...["SecretAsEnv", "SecretAsVolume", "ImagePullSecret"].flatMap((name): Row[] => [
      [name, "a", "secret", constant("secretNameParameter")],
      [name, "a", "name", constant("secretNameParameter")],
      [name, text61, "name", constant("secretNameParameter", "…")],
      [name, "a", "configMap"],
      [name, "a", "secrets"],
      [name, {}, "name"],
    ]),
    ...["ConfigMapAsEnv", "ConfigMapAsVolume"].flatMap((name): Row[] => [
      [name, "a", "configMap", constant("configMapNameParameter")],
      [name, "a", "config_map", constant("configMapNameParameter")],
      [name, "a", "name", constant("configMapNameParameter")],
      [name, "a", "secret"],
      [name, "a", "myname"],
    ]),
    ...["pvc", "claim", "pvcName", "claimName", "pvc_name", "claim_name", "name"].map(
      (key): Row => ["PvcMount", "a", key, constant("pvcNameParameter")],
    ),
    ["PvcMount", "a", "pvcs"],
    ["PvcMount", "a", "mypvc"],
    ["DagSpec", "a", "name"],
    ["DagSpec", "a", 0],
  ];
  test.each<Row>(rows)("%s: %j of %s", (message, value, key, hint) => {
    expect(hintOfField(message, value, key)).toBe(hint);
    expect(formHint(message, value, key)).toBe(hint);
  });
});

test.each<[json: unknown, line: string]>([
  [text60, text60],
  [text61, "…"],
  [["a", { b: 1 }], "[a, {b: 1}]"],
  ["yes", '"yes"'],
  [undefined, "undefined"],
])("%j on one line is %s", (json, line) => expect(shortLine(json)).toBe(line));
