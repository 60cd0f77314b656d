import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { stringify } from "yaml";
import { bench } from "../../../scripts/bench-harness.js";
import { printArgoWorkflow, toArgoWorkflow } from "../src/index.js";

/** A pipeline of so many tasks in chains of ten, each with a component and a container of its own. */
function pipelineText(count: number): string {
  const tasks: Record<string, unknown> = {};
  const components: Record<string, unknown> = {};
  const executors: Record<string, unknown> = {};
  for (let index = 0; index < count; index++) {
    const name = `task-${index}`;
    const before = `task-${index - 1}`;
    const isFirst = index % 10 === 0;
    const text = isFirst
      ? { componentInputParameter: "text" }
      : { taskOutputParameter: { producerTask: before, outputParameterKey: "text" } };
    tasks[name] = {
      taskInfo: { name },
      componentRef: { name: `comp-${name}` },
      cachingOptions: { enableCache: true },
      ...(isFirst ? {} : { dependentTasks: [before] }),
      inputs: { parameters: { text, rows: { runtimeValue: { constant: index } } } },
      ...(index % 5 === 4 ? { triggerPolicy: { condition: "inputs.parameter_values['text'] != ''" } } : {}),
    };
    components[`comp-${name}`] = {
      executorLabel: `exec-${name}`,
      inputDefinitions: {
        parameters: { text: { parameterType: "STRING" }, rows: { parameterType: "NUMBER_INTEGER" } },
      },
      outputDefinitions: { parameters: { text: { parameterType: "STRING" } } },
    };
    const program = `import sys\n# ${index}\nwith open(sys.argv[2], "w") as file:\n    file.write(sys.argv[1])\n`;
    executors[`exec-${name}`] = {
      container: {
        image: "python:3.12",
        command: ["python", "-c", program],
        args: ["{{$.inputs.parameters['text']}}", "{{$.outputs.parameters['text'].output_file}}"],
      },
    };
  }
  const inputDefinitions = { parameters: { text: { parameterType: "STRING" } } };
  const root = { inputDefinitions, dag: { tasks } };
  return stringify({
    pipelineInfo: { name: "many" },
    schemaVersion: "2.1.0",
    root,
    components,
    deploymentSpec: { executors },
  });
}

function parsed(text: string): Pipeline {
  const result = parsePipeline(text);
  if (!result.ok) throw new Error("the pipeline cannot be parsed");
  return result.pipeline;
}

for (const count of [500, 5_000]) {
  const text = pipelineText(count);
  const pipeline = parsed(text);
  const result = toArgoWorkflow(pipeline);
  if (!result.ok) throw new Error("the pipeline cannot be compiled");
  const { workflow } = result;
  await bench(
    `${count} tasks`,
    {
      parsePipeline: () => parsed(text),
      toArgoWorkflow: () => toArgoWorkflow(pipeline),
      printArgoWorkflow: () => printArgoWorkflow(workflow),
    },
    { baseline: "parsePipeline", rounds: 7, note: `${(text.length / 2 ** 20).toFixed(1)} MiB of YAML` },
  );
}
