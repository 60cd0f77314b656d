import { stringify } from "yaml";

/** A pipeline of so many tasks in chains of ten, each with inputs and outputs, some with a condition, as YAML. */
export function syntheticPipeline(count: number): string {
  const tasks: Record<string, unknown> = {};
  const components: Record<string, unknown> = {};
  const executors: Record<string, unknown> = {};
  for (let index = 0; index < count; index++) {
    const name = `task-${index}`;
    const before = index % 10 === 0 ? undefined : `task-${index - 1}`;
    const text =
      before === undefined
        ? { componentInputParameter: "text" }
        : { taskOutputParameter: { producerTask: before, outputParameterKey: "text" } };
    const condition = `inputs.parameter_values['text'] != 'stop-${index}'`;
    tasks[name] = {
      taskInfo: { name },
      componentRef: { name: `comp-${name}` },
      cachingOptions: { enableCache: true },
      ...(before === undefined ? {} : { dependentTasks: [before] }),
      inputs: { parameters: { text, rows: { runtimeValue: { constant: index } } } },
      ...(index % 5 === 4 ? { triggerPolicy: { condition } } : {}),
    };
    const inputs = { text: { parameterType: "STRING" }, rows: { parameterType: "NUMBER_INTEGER" } };
    components[`comp-${name}`] = {
      executorLabel: `exec-${name}`,
      inputDefinitions: { parameters: inputs },
      outputDefinitions: { parameters: { text: { parameterType: "STRING" } } },
    };
    const args = ["{{$.inputs.parameters['text']}}", "--out", "{{$.outputs.parameters['text'].output_file}}"];
    executors[`exec-${name}`] = {
      container: { image: "python:3.12", command: ["python", "-c", "import sys; print(sys.argv)"], args },
    };
  }
  const inputDefinitions = { parameters: { text: { parameterType: "STRING" } } };
  return stringify({
    pipelineInfo: { name: "synthetic" },
    schemaVersion: "2.1.0",
    root: { inputDefinitions, dag: { tasks } },
    components,
    deploymentSpec: { executors },
  });
}
