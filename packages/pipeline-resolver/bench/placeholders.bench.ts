import { ExecutorInput, PipelineContainerSpec } from "@wye/pipeline-spec";
import { bench, figures } from "../../../scripts/bench-harness.js";
import { parsePlaceholders, resolveContainer, resolvePlaceholders } from "../src/index.js";

const executorInput = ExecutorInput.create({
  inputs: {
    parameterValues: { lr: 0.1, name: "model", list: [1, 2, 3] },
    artifacts: { data: { artifacts: [{ uri: "gs://b/x" }] } },
  },
  outputs: { parameters: { out: { outputFile: "/tmp/out" } }, outputFile: "/tmp/out.json" },
});
const argument = "--lr={{$.inputs.parameters['lr']}} --data={{$.inputs.artifacts['data'].path}}";
const found = /\{\{\$\.[^}]*\}\}/g;
await bench(
  "one argument with two placeholders",
  {
    parse: () => parsePlaceholders(argument),
    "parse and resolve": () => resolvePlaceholders(argument, { executorInput }),
    "a regular expression that only finds them": () => [...argument.matchAll(found)],
  },
  { baseline: "a regular expression that only finds them" },
);

const source = `def train():\n${"    print(f'{x} {{y}} and $(pwd)')\n".repeat(300)}`;
await bench(
  "a Python component of 10 KB without placeholders",
  {
    parse: () => parsePlaceholders(source),
    "a regular expression that only finds them": () => [...source.matchAll(found)],
  },
  { baseline: "a regular expression that only finds them" },
);

const container = PipelineContainerSpec.create({
  image: "python:3.11",
  command: ["sh", "-c", source],
  args: ["--executor_input", "{{$}}", "--function_to_execute", "train", argument],
  env: [{ name: "HOME", value: "/root" }],
});
await bench(
  "a whole container",
  { wye: () => resolveContainer(container, { executorInput }) },
  { baseline: "wye" },
);

const sizes = [100_000, 200_000, 400_000];
const timed = sizes.map((size) => {
  const text = argument.repeat(size / argument.length);
  const before = process.cpuUsage();
  for (let i = 0; i < 5; i++) parsePlaceholders(text);
  return [`${size} characters`, (process.cpuUsage(before).user / 5 / size) * 1_000] as const;
});
figures("parsing grows with the text", Object.fromEntries(timed), {
  unit: "ns per character",
  baseline: "100000 characters",
});
