import { ComponentSpec, ExecutorInput, PipelineContainerSpec, PipelineTaskSpec } from "@wye/pipeline-spec";
import { bench } from "../../../scripts/bench-harness.js";
import {
  cacheKey,
  cacheKeyParts,
  compileCacheKey,
  compileContainer,
  compileTaskInputs,
  resolveContainer,
  resolveTaskInputs,
} from "../src/index.js";

// What a runner does for each execution of a task: an iteration, an attempt, a run.
const task = PipelineTaskSpec.create({
  inputs: {
    parameters: {
      accuracy: {
        kind: { $case: "componentInputParameter", value: "metrics" },
        parameterExpressionSelector: 'parseJson(string_value)["accuracy"]',
      },
    },
  },
});
const component = ComponentSpec.create({ outputDefinitions: { parameters: { text: { parameterType: 3 } } } });
const scope = { parameters: { metrics: '{"accuracy": 0.9}' }, artifacts: {}, outputs: new Map() };
const inputs = compileTaskInputs(task, component);
// Each turn starts with a collection of garbage, after which compiled code has to be made anew: work of microseconds needs
// turns so long that this does not count.
const turns = {
  baseline: "each time",
  rounds: 7,
  turnMs: 400,
  note: "compiled once for a task, then run for each execution",
} as const;
await bench(
  "a selector, per execution",
  { compiled: () => inputs(scope), "each time": () => resolveTaskInputs(task, component, scope) },
  turns,
);

const source = `def train():\n${"    print(f'{x} {{y}} and $(pwd)')\n".repeat(300)}`;
const container = PipelineContainerSpec.create({
  image: "python:3.11",
  command: ["sh", "-c", source],
  args: ["--executor_input", "{{$}}", "--lr={{$.inputs.parameters['lr']}}"],
  env: [{ name: "HOME", value: "/root" }],
});
const executorInput = ExecutorInput.create({
  inputs: { parameterValues: { lr: 0.1, name: "model", list: [1, 2, 3] } },
  outputs: { parameters: { text: { outputFile: "/tmp/out" } }, outputFile: "/tmp/out.json" },
});
const resolve = compileContainer(container);
await bench(
  "a container with 10 KB of Python, per execution",
  {
    compiled: () => resolve({ executorInput }),
    "each time": () => resolveContainer(container, { executorInput }),
  },
  turns,
);

const run = { inputs: { parameters: { lr: 0.1 }, artifacts: {}, defaulted: [] }, executorInput };
const keyOf = compileCacheKey(component, container);
await bench(
  "a cache key over 10 KB of Python, per execution",
  {
    compiled: () => keyOf(run),
    "each time": () => cacheKey(cacheKeyParts({ component, container, ...run })),
  },
  turns,
);
