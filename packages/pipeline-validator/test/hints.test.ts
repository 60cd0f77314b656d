import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { validatePipeline, validateRuntimeConfig } from "../src/index.js";
import { exampleText } from "./example-text.js";

// What to write instead of what is an understandable mistake.

const problemsOf = (arg: string) =>
  validatePipeline(
    exampleText(
      "patch",
      stringify({ deploymentSpec: { executors: { "exec-report": { container: { args: [arg] } } } } }),
    ),
  ).problems;

const constantFor = (fact: string) =>
  `give the task an input with the constant {{$.${fact}}}, and name that input`;

const byInput = "pass the value as an input, and write {{$.inputs.parameters['name']}}";

const rows: readonly (readonly [arg: string, code: string, hint: string])[] = [
  ["{{workflow.name}}", "placeholder-version-1", constantFor("pipeline_job_resource_name")],
  ["{{ workflow.uid }}", "placeholder-version-1", constantFor("pipeline_job_uuid")],
  ["{{workflow.creationTimestamp}}", "placeholder-version-1", constantFor("pipeline_job_create_time_utc")],
  ["{{workflow.scheduledTime}}", "placeholder-version-1", constantFor("pipeline_job_schedule_time_utc")],
  ["{{workflow.name.path}}", "placeholder-version-1", byInput],
  ["{{workflow.status}}", "placeholder-version-1", byInput],
  ["{{pod.name}}", "placeholder-version-1", byInput],
  ["{{steps.load.outputs.parameters.labels}}", "placeholder-version-1", byInput],
  ["{{inputs.artifacts.data}}", "placeholder-version-1", byInput],
  ["{{outputs.parameters.n}}", "placeholder-version-1", byInput],
  ["{{outputs.artifacts.m}}", "placeholder-version-1", byInput],
  ["{{inputs.parameters.rows.path}}", "placeholder-version-1", byInput],
  ["{{workflow.parameters.rows.path}}", "placeholder-version-1", byInput],
  ["{{workflow.parameters.rows}}", "placeholder-version-1", "write {{$.inputs.parameters['rows']}}"],
  ["{{inputs.parameters.a-b}}", "placeholder-version-1", "write {{$.inputs.parameters['a-b']}}"],
  ["{{inputs.parameters['rows']}}", "placeholder-version-1", "write {{$.inputs.parameters['rows']}}"],
  ["{{inputs.artifacts.data.path}}", "placeholder-version-1", "write {{$.inputs.artifacts['data'].path}}"],
  [
    "{{outputs.parameters.n.path}}",
    "placeholder-version-1",
    "write {{$.outputs.parameters['n'].output_file}}",
  ],
  ["{{outputs.artifacts.m.path}}", "placeholder-version-1", "write {{$.outputs.artifacts['m'].path}}"],
  [
    "{{tasks.load.outputs.parameters.labels}}",
    "placeholder-version-1",
    "pass the value as an input, and write {{$.inputs.parameters['name']}}",
  ],
  [
    '{"IfPresent": {"InputName": "message", "then": ["-m"]}}',
    "placeholder-structure-invalid",
    "did you mean Then?",
  ],
  [
    '{"IfPresent": {"inputName": "message", "Then": ["-m"]}}',
    "placeholder-structure-invalid",
    "did you mean InputName?",
  ],
  [
    '{"IfPresent": {"InputName": "message", "Then": [{"concat": ["a"]}]}}',
    "placeholder-structure-invalid",
    "did you mean Concat?",
  ],
  ['{"concat": ["--message=", "x"]}', "placeholder-structure-misspelt", "did you mean Concat?"],
  ['{"if-present": {"InputName": "message"}}', "placeholder-structure-misspelt", "did you mean IfPresent?"],
];

describe("a hint for", () => {
  for (const [arg, code, hint] of rows) {
    test(arg, () =>
      expect(problemsOf(arg).filter(({ code: other }) => other !== "concat-unsupported")).toMatchObject([
        { code, hint },
      ]),
    );
  }

  test("values of a run under the name that the API had before", () => {
    const { problems } = validateRuntimeConfig(
      { spec: { root: undefined } as never },
      { parameters: { s: "a" } },
    );
    expect(problems).toMatchObject([{ path: "/parameters/s", hint: "did you mean parameterValues?" }]);
  });

  test.each([0, 1, 2, 6, 7, 8])("a name that is like none of %d: a few are listed", (count) => {
    const names = ["alpha", "bravo", "carrot", "delta", "echo", "foxtrot", "gardens", "hotels"].slice(
      0,
      count,
    );
    const parameters = Object.fromEntries(
      names.map((name) => [name, { parameterType: "STRING", isOptional: true }]),
    );
    const parsed = parsePipeline(
      JSON.stringify({ pipelineInfo: { name: "a" }, root: { inputDefinitions: { parameters }, dag: {} } }),
    );
    if (!parsed.ok) expect.unreachable(JSON.stringify(parsed.problems));
    const { problems } = validateRuntimeConfig(parsed.pipeline, { parameterValues: { xyzzy: "a" } });
    const list = names.map((name) => JSON.stringify(name)).join(", ");
    const hint = count === 0 || count > 6 ? undefined : `there ${count === 1 ? "is" : "are"} ${list}`;
    expect(problems.map(({ code, hint }) => [code, hint])).toEqual([["runtime-parameter-unknown", hint]]);
  });

  test("a plain value in the field for typed ones", () => {
    const inputs = { parameters: { epochs: { runtimeValue: { constantValue: 5 } } } };
    const { problems } = validatePipeline(
      exampleText("patch", stringify({ root: { dag: { tasks: { train: { inputs } } } } })),
    );
    expect(problems.find(({ code }) => code === "wrong-type")).toMatchObject({
      hint: "did you mean constant?",
    });
  });
});

test.each([
  '{"Concat": 5, "a": 1}',
  '{"config": ["a"]}',
  '{"concatenate": ["a"]}',
  '{"concat": "a"}',
  '{"ifpresent": 5}',
])("%s is no misspelt structure", (arg) =>
  expect(problemsOf(arg).map(({ code }) => code)).not.toContain("placeholder-structure-misspelt"),
);

test.each([
  ["registry.example/argostub/createpvc", "write argostub/createpvc: "],
  ["argostub/deletepvc:latest", "write argostub/deletepvc: "],
  ["registry.example/argostub/createpvc-2", "add the entry point"],
])("what makes or deletes claims is no image: %s", (image, hint) => {
  const container = { image, command: null };
  const text = exampleText(
    "patch",
    stringify({ deploymentSpec: { executors: { "exec-report": { container } } } }),
  );
  const missing = validatePipeline(text).problems.filter(({ code }) => code === "command-missing");
  expect(missing.map((problem) => problem.hint?.startsWith(hint))).toEqual([true]);
});

test.each([
  ["metadata.labels.app", "write metadata.labels['app']"],
  ["metadata.annotations", "write metadata.annotations['name']"],
  ["metadata.nam", 'did you mean "metadata.name"?'],
])("a field of a pod: %s", (fieldPath, hint) => {
  const settings = `platforms: {kubernetes: {deploymentSpec: {executors: {exec-report: {fieldPathAsEnv: [{name: A, fieldPath: ${fieldPath}}]}}}}}`;
  const { problems } = validatePipeline(exampleText("patch", `{}\n---\n${settings}\n`));
  expect(problems.map((problem) => problem.hint)).toEqual([hint]);
});

test.each([
  ["1e3", "write 512Mi or the like"],
  ["512m", "write 512Mi"],
  ["4", "write 4Gi"],
])("little memory: %s", (resourceMemoryLimit, hint) => {
  const container = { resources: { resourceMemoryLimit } };
  const { problems } = validatePipeline(
    exampleText("patch", stringify({ deploymentSpec: { executors: { "exec-report": { container } } } })),
  );
  expect(problems.map((problem) => problem.hint)).toEqual([hint]);
});

test.each([
  [
    {
      root: {
        dag: {
          tasks: {
            train: {
              inputs: {
                parameters: {
                  label: {
                    taskOutputParameter: null,
                    runtimeValue: { constant: "X {{inputs.parameters.rows}}" },
                  },
                },
              },
            },
          },
        },
      },
    },
    "/root/dag/tasks/train/inputs/parameters/label/runtimeValue/constant",
    "write {{$.inputs.parameters['rows']}}",
  ],
  [
    {
      deploymentSpec: {
        executors: { "exec-report": { container: { env: [{ name: "A", value: "{{workflow.name}}" }] } } },
      },
    },
    "/deploymentSpec/executors/exec-report/container/env/0/value",
    "pass the value to the program as an argument: variables take no placeholders",
  ],
])("a placeholder of version 1 in %j", (patch, path, hint) => {
  const text = exampleText("patch", stringify(patch));
  expect(validatePipeline(text).problems).toMatchObject([{ code: "placeholder-version-1", path, hint }]);
});
