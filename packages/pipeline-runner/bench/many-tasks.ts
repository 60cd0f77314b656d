import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";

const number = { parameterType: "NUMBER_INTEGER" };
const leaf = {
  executorLabel: "exec",
  inputDefinitions: { parameters: { x: { ...number, isOptional: true } } },
  outputDefinitions: { parameters: { y: number } },
};

function pipelineOf(tasks: object, components: object = {}, command: readonly string[] = ["true"]): Pipeline {
  const container = { image: "alpine", command };
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "many-tasks" },
      schemaVersion: "2.1.0",
      sdkVersion: "kfp-2.0.0",
      root: { dag: { tasks } },
      components: { "comp-leaf": leaf, ...components },
      deploymentSpec: { executors: { exec: { container } } },
    }),
  );
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.pipeline;
}

const task = (name: string, more: object = {}) => ({
  taskInfo: { name },
  componentRef: { name: "comp-leaf" },
  ...more,
});
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Tasks that do not know each other. */
export function wide(count: number, command: readonly string[] = ["true"]): Pipeline {
  return pipelineOf(Object.fromEntries(numbers(count).map((i) => [`t${i}`, task(`t${i}`)])), {}, command);
}

/** Tasks that each take the output of the one before. */
export function chain(count: number): Pipeline {
  const from = (i: number) => ({
    parameters: { x: { taskOutputParameter: { producerTask: `t${i - 1}`, outputParameterKey: "y" } } },
  });
  const tasks = numbers(count).map((i) => [`t${i}`, task(`t${i}`, i === 0 ? {} : { inputs: from(i) })]);
  return pipelineOf(Object.fromEntries(tasks));
}

/** A loop in a loop, each over as many items as the other. */
export function loops(count: number): Pipeline {
  const raw = JSON.stringify(numbers(Math.round(Math.sqrt(count))));
  const loop = (name: string) => ({
    taskInfo: { name: "loop" },
    componentRef: { name },
    parameterIterator: { items: { raw }, itemInput: "x" },
  });
  const inner = { dag: { tasks: { inner: loop("comp-leaf") } } };
  const outer = { inputDefinitions: { parameters: { x: number } }, ...inner };
  return pipelineOf({ outer: loop("comp-outer") }, { "comp-outer": outer });
}

/** Tasks that take and give nothing, so that any program can carry them out. */
export function silent(count: number, command: readonly string[] = ["true"]): Pipeline {
  const pipeline = wide(count, command);
  const component = pipeline.spec.components["comp-leaf"];
  if (component !== undefined) {
    component.inputDefinitions = undefined;
    component.outputDefinitions = undefined;
  }
  return pipeline;
}
