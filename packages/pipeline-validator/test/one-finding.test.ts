import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { examplePipeline, validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

// What is wrong in one place is one finding: what seems to be missing because of it is none.

const settings = (config: object) => {
  const kubernetes = { deploymentSpec: { executors: { "exec-report": config } } };
  return `${examplePipeline}---\n${stringify({ platforms: { kubernetes } })}`;
};
const container = (fields: object) =>
  exampleText(
    "patch",
    stringify({ deploymentSpec: { executors: { "exec-report": { container: fields } } } }),
  );
const secret = { secretNameParameter: { runtimeValue: { constant: "s" } } };
const init = { name: "fetch", image: "busybox:1.36" };

const rows: readonly (readonly [mistake: string, text: string, code: string, path: RegExp])[] = [
  ...[
    { secretAsEnv: [{ ...secret, keyToEnv: { token: "TOKEN" } }] },
    { secret_as_env: [{ secret_name_parameter: secret.secretNameParameter, key_to_env: "TOKEN" }] },
    { secretAsEnv: [{ ...secret, keyToEnv: [{ secretKey: 1, envVar: "A" }] }] },
    { secretAsEnv: [{ ...secret, keyToEnv: [{ secretKey: "a", envVar: 1 }] }] },
    { configMapAsEnv: [{ configMapName: 5, keyToEnv: [{ configMapKey: "a", envVar: "A" }] }] },
    { secretAsVolume: [{ secretName: 5, mountPath: "/x" }] },
    { secretAsVolume: [{ ...secret, mountPath: 5 }] },
    { pvcMount: [{ constant: 5, mountPath: "/x" }] },
    { pvcMount: [{ pvcNameParameter: "claim", mountPath: "/x" }] },
    { fieldPathAsEnv: [{ name: 5, fieldPath: "metadata.name" }] },
    { fieldPathAsEnv: [{ name: "A", fieldPath: 5 }] },
    {
      genericEphemeralVolume: [
        { volumeName: "v", mountPath: "/v", size: "1Gi", accessModes: "ReadWriteOnce" },
      ],
    },
    { tolerations: [{ key: 5, operator: "Equal" }] },
    { nodeAffinity: [{ matchExpressions: [{ key: "a", operator: "In", values: "b" }] }] },
    { nodeAffinity: [{ matchExpressions: [{ key: "a", operator: "Gt", values: 5 }] }] },
    { initContainers: [{ ...init, name: 5 }] },
    { initContainers: [{ ...init, image: 5 }] },
  ].map(
    (config) =>
      [JSON.stringify(config), settings(config), "platform-field-type", /\/exec-report\/./] as const,
  ),
  [
    "a limit that is no amount, beside the old number",
    container({ resources: { memoryLimit: 0.001, resourceMemoryLimit: "1K" } }),
    "resource-invalid",
    /resourceMemoryLimit$/,
  ],
];

describe("one finding for", () => {
  for (const [mistake, text, code, path] of rows) {
    test(mistake, () => {
      const { problems } = validatePipeline(text, { rules: { "deprecated-field": "off" } });
      expect(problems).toMatchObject([{ code, path: expect.stringMatching(path), range: expect.anything() }]);
    });
  }
});

test("what cannot be read is counted with what was not checked for it", () => {
  const { unchecked } = validatePipeline(settings({ secretAsEnv: [{ ...secret, keyToEnv: "TOKEN" }] }));
  expect(unchecked).toMatchObject([
    {
      path: "/platforms/kubernetes/deploymentSpec/executors/exec-report/secretAsEnv/0/keyToEnv",
      reason: "platform-field-type",
      hidden: 1,
      range: expect.anything(),
    },
  ]);
});

test("a setting that nobody is told of hides nothing", () => {
  const text = settings({ secretAsEnv: [{ ...secret, keyToEnv: "TOKEN" }] });
  const { problems, unchecked } = validatePipeline(text, { rules: { "platform-field-type": "off" } });
  expect(problems.map(({ code }) => code)).toEqual(["secret-keys-missing"]);
  expect(unchecked).toEqual([]);
});

test("an iterator whose item has another name is one error, where that stands", () => {
  const named = (itemInput: string) =>
    validatePipeline(
      exampleText(
        "patch",
        stringify({ root: { dag: { tasks: { loop: { parameterIterator: { itemInput } } } } } }),
      ),
    ).problems.map(({ code }) => code);
  expect(named("itme")).toEqual(["iterator-item-undeclared"]);
  expect(named("element")).toEqual(["iterator-item-undeclared"]);
});

// biome-ignore format: a table
test.each([
  ["parameter", "itme", "item", "item", ["artifact item"]],
  ["artifact", "itme", "item", "item", ["parameter item"]],
  ["parameter", "zzz", "first", "second", ["artifact second"]],
  ["artifact", "zzz", "first", "second", ["parameter first"]],
  ["parameter", "zzz", "", "second", ["artifact second"]],
  ["artifact", "zzz", "first", "", ["parameter first"]],
  ["parameter", "abcdefgh", "abcdexxh, other", "abcdefgx", ["parameter other", "artifact abcdefgx"]],
  ["artifact", "abcdefgh", "abcdefgx", "other, abcdexxh", ["parameter abcdefgx", "artifact other"]],
  ["parameter", "itme", "some, other", "item", ["parameter some", "parameter other", "artifact item"]],
  ["artifact", "itme", "item", "some, other", ["parameter item", "artifact some", "artifact other"]],
  ["parameter", "item", "item", "more", ["artifact more"]],
  ["artifact", "more", "item", "more", ["parameter item"]],
  ["parameter", "''", "item", "more", ["parameter item", "artifact more"]],
  ["artifact", "''", "item", "more", ["parameter item", "artifact more"]],
] as const)("of an iterator over one %s that says %s, the component having parameters %j and artifacts %j, only the one that is meant is not told as missing", (kind, itemInput, parameters, artifacts, told) => {
  const declare = (names: string, type: string) => names.split(", ").filter(Boolean).map((name) => `${name}: {${type}}`).join(", ");
  const { problems } = validatePipeline(`pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {dag: {tasks: {loop: {taskInfo: {name: loop}, componentRef: {name: comp-loop}, ${kind}Iterator: {itemInput: ${itemInput}}}}}}
components: {comp-loop: {inputDefinitions: {parameters: {${declare(parameters, "parameterType: STRING")}}, artifacts: {${declare(artifacts, "artifactType: {schemaTitle: system.Model}")}}}, dag: {tasks: {}}}}
`);
  const missing = problems.filter(({ code }) => code === "input-missing");
  expect(missing.map(({ message }) => /(\w+) "(\w+)" of component/.exec(message)?.slice(1).join(" "))).toEqual(told);
});

test("a workspace under a misspelt platform is missing there, and not at each use", () => {
  const path = "{{$.workspace_path}}/a";
  const uses = exampleText(
    "patch",
    stringify({
      root: {
        dag: {
          tasks: {
            train: {
              inputs: {
                parameters: { label: { taskOutputParameter: null, runtimeValue: { constant: path } } },
              },
            },
          },
        },
      },
    }),
  );
  const { problems } = validatePipeline(
    `${uses}---\nplatforms: {kuberneets: {pipelineConfig: {workspace: {size: 1Gi}}}}\n`,
  );
  expect(problems.map(({ code, path: at }) => `${code} ${at}`)).toEqual([
    "workspace-missing /platforms/kuberneets",
    "platform-misspelt /platforms/kuberneets",
  ]);
});
