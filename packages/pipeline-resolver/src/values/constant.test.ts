import { ComponentSpec, type PartialMessage, PipelineTaskSpec, RuntimeArtifact } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { resolveTaskInputs } from "../index.js";

const list = { artifacts: [RuntimeArtifact.create({ name: "a", uri: "gs://b/a" })] };
const scope = {
  parameters: { n: 3, none: null, items: [1, { k: 2 }] },
  artifacts: { data: list },
  outputs: new Map(),
  facts: { pipeline_job_name: "run 7" },
};

type Given = NonNullable<PartialMessage<PipelineTaskSpec>["inputs"]>["parameters"];

/** A task with a constant `x` beside other inputs. */
function resolve(constant: unknown, others: Given = {}) {
  const value = { value: { $case: "constant", value: constant } } as const;
  const outer = (name: string) => ({ kind: { $case: "componentInputParameter", value: name } }) as const;
  return resolveTaskInputs(
    PipelineTaskSpec.create({
      inputs: {
        parameters: {
          x: { kind: { $case: "runtimeValue", value } },
          n: outer("n"),
          none: outer("none"),
          items: outer("items"),
          ...others,
        },
        artifacts: { data: { kind: { $case: "componentInputArtifact", value: "data" } } },
      },
    }),
    ComponentSpec.create({
      inputDefinitions: { parameters: { absent: { parameterType: 3, isOptional: true } } },
    }),
    scope,
  );
}

const [n, items, none] = ["n", "items", "none"].map((name) => `{{$.inputs.parameters['${name}']}}`) as [
  string,
  string,
  string,
];
const wrong = "nothing says where the value of wrong comes from";

describe("a constant is filled in", () => {
  test.each<readonly [constant: unknown, message: string]>([
    [{ [n]: 1, 3: 2 }, "two of its keys become the same"],
    [[{ a: { [n]: 1, "3": 2 } }], "two of its keys become the same"],
    ["{{$.inputs.parameters['nope']}}", "there is no input parameter nope"],
    [{ a: ["<{{$.inputs.parameters['nope']}}>"] }, "there is no input parameter nope"],
    ["{{$.inputs.parameters['x']}}", "the constant needs the input x, which needs this one or has no value"],
    ["{{$.inputs.artifacts['nope'].uri}}", "there is no input artifact nope"],
    ["{{$.inputs.artifacts['nope'].uri}} {{$.inputs.artifacts['nope']}}", "there is no input artifact nope"],
    ["{{$.inputs.artifacts['data'].metadata['k']}}", "the artifact data has no metadata k"],
    ["{{$.pipeline_task_uuid}}", "pipeline_task_uuid is not known here"],
  ])("or refused: %j", (constant, message) => {
    const messages = resolve(constant).problems.map((problem) => problem.message);
    expect(messages).toEqual([`input x: ${message}`]);
  });

  test.each<readonly [constant: unknown, value: unknown]>([
    [n, 3],
    [`${n}${n}`, "33"],
    [`<${n}>`, "<3>"],
    ["{{$.inputs.parameters['items']}}", [1, { k: 2 }]],
    ["{{$.inputs.parameters['items']}}!", '[1,{"k":2}]!'],
    ["{{$.inputs.parameters['none']}}!", "!"],
    ["{{$.inputs.parameters['absent']}}!", "!"],
    [
      { [n]: n, [`a${n}`]: [n, null, true, { b: n }] },
      { 3: 3, a3: [3, null, true, { b: 3 }] },
    ],
    [
      { [items]: 1, [none]: 2 },
      { '[1,{"k":2}]': 1, "": 2 },
    ],
    ["{{$.inputs.artifacts['data'].uri}}", "gs://b/a"],
    ["{{$.pipeline_job_name}} {{$.outputs.output_file}} {{$}}", "run 7 {{$.outputs.output_file}} {{$}}"],
    ["{{$.nothing}} {{", "{{$.nothing}} {{"],
    ["", ""],
  ])("%j becomes %j", (constant, value) => {
    expect(resolve(constant)).toMatchObject({ ok: true, value: { parameters: { x: value } }, problems: [] });
  });

  test("with what has no source, which is told once", () => {
    const { problems } = resolve("{{$.inputs.parameters['wrong']}}", { wrong: {} });
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ["no-source", wrong],
      ["placeholder", "input x: the input wrong has no value"],
    ]);
  });
});
