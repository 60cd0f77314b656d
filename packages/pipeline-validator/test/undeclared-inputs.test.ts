import { expect, test } from "vitest";
import { stringify } from "yaml";
import { type Profile, validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

// What tasks supply that no component declares: whether anything reads it, and what may have been meant.

type Inputs = Readonly<Record<string, object | null>>;
const constant = (value: unknown) => ({ runtimeValue: { constant: value } });

interface Patch {
  readonly parameters?: Inputs;
  readonly artifacts?: Inputs;
  /** Of `prepare`, which runs before. */
  readonly before?: Inputs;
  readonly args?: readonly string[];
}

function told({ parameters, artifacts, before, args }: Patch, profile: Profile = "kfp"): readonly string[] {
  const patch = {
    root: {
      dag: {
        tasks: { prepare: { inputs: { parameters: before } }, train: { inputs: { parameters, artifacts } } },
      },
    },
    ...(args && { deploymentSpec: { executors: { "exec-train": { container: { args } } } } }),
  };
  return validatePipeline(exampleText("patch", stringify(patch)), { profile })
    .problems.filter(({ code }) => code.startsWith("input-"))
    .map(
      ({ code, path, message, hint }) =>
        `${code} at ${path.replace("/root/dag/tasks/", "")}: ${message} | ${hint}`,
    );
}

const image = { image: constant("a:1") };
const read = "{{$.inputs.parameters['image']}}";
const all = ["{{$}}"];
const none = (place: string, hint: string, code = "undeclared") => {
  const [kind, name = ""] = place.split("s/");
  return `input-${code} at train/inputs/${place}: component "comp-train" has no input ${kind} "${name}" | ${hint}`;
};
const open = 'there is "epochs"';
const rename = (place: string, kind: string, from: string, to: string) =>
  `input-missing at train/inputs/${place}: task "train" does not supply the input ${kind} "${to}" of component "comp-train" | rename "${from}" to "${to}"`;
const prepared = { taskOutputArtifact: { producerTask: "prepare", outputArtifactKey: "data" } };

// biome-ignore format: a table
const rows: readonly (readonly [name: string, patch: Patch, ...told: readonly string[]])[] = [
  ["nothing reads it", { parameters: image }, none("parameters/image", open)],
  ["the executor reads it", { parameters: image, args: [...all, read] }],
  ["the executor asks whether it is there", { parameters: image, args: [...all, `{"IfPresent": {"InputName": "image", "Then": ["a"]}}`] }],
  ["the executor reads another", { parameters: image, args: [...all, "{{$.inputs.parameters['label']}}"] }, none("parameters/image", open)],
  ["a constant beside it reads it", { parameters: { ...image, label: { taskOutputParameter: null, ...constant(`a ${read}`) } } }],
  ["a constant of another task reads it", { parameters: image, before: { rows: { componentInputParameter: null, ...constant(read) } } }, none("parameters/image", open)],
  ["compilers call it so", { parameters: { "pipelinechannel--image": constant("a:1") } }],
  ["it is called almost so", { parameters: { "pipelinechannel-image": constant("a:1") } }, none("parameters/pipelinechannel-image", open)],
  ["it is filled in for something else", { parameters: { image: constant("{{$.pipeline_job_name}}") } }],
  ["it is a text like that", { parameters: { image: constant("$.pipeline_job_name") } }, none("parameters/image", open)],
  ["it is a number", { parameters: { image: constant(5) } }, none("parameters/image", open)],
  ["it comes from elsewhere", { parameters: { image: { componentInputParameter: "mode" } } }, none("parameters/image", open)],
  ["an optional one is meant", { parameters: { epoch: constant(5) } }, none("parameters/epoch", 'did you mean "epochs"?', "misspelt")],
  ["one is meant that is there already", { parameters: { epoch: constant(5), epochs: constant(6) } }, none("parameters/epoch", "undefined")],
  ["a required one is meant", { parameters: { label: null, lable: constant("a") } }, rename("parameters/lable", "parameter", "lable", "label")],
  ["a required artifact is meant", { artifacts: { data: null, date: prepared } }, rename("artifacts/date", "artifact", "date", "data")],
  ["nothing reads the artifact", { artifacts: { extra: prepared } }, none("artifacts/extra", "undefined")],
  ["the executor reads the artifact", { artifacts: { extra: prepared }, args: [...all, "{{$.inputs.artifacts['extra'].path}}"] }],
];
test.each(rows.map(([name, patch, ...lines]) => [name, patch, lines] as const))("%s", (_, patch, lines) => {
  expect(told(patch)).toEqual(lines);
});

test("for the document a misspelt one is one that nobody declares as well", () => {
  expect(told({ parameters: { epoch: constant(5) } }, "spec")).toEqual([
    none("parameters/epoch", 'did you mean "epochs"?'),
  ]);
});
