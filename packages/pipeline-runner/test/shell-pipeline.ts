import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";

/** A task that runs a line of shell. */
export interface ShellTask {
  readonly run: string;
  readonly after?: readonly string[];
  /** Gives an output parameter `out` of type STRING: `$1` is its file. */
  readonly gives?: boolean;
  /** Gives an output artifact `data`: `$2` is its path. */
  readonly makes?: boolean;
  /** Takes `out` of this task: `$3`. */
  readonly takes?: string;
  /** Takes the artifact `data` of this task: `$4` is its path. */
  readonly reads?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Other fields of the task. */
  readonly task?: Readonly<Record<string, unknown>>;
}

/** A pipeline of lines of shell, for tests, with other fields of its containers. */
export function shellPipeline(tasks: Readonly<Record<string, ShellTask>>, container: object = {}): Pipeline {
  const names = Object.keys(tasks);
  const entries = <T>(of: (name: string, task: ShellTask) => T) =>
    Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, of(name, task)]));
  const json = {
    pipelineInfo: { name: "shell" },
    schemaVersion: "2.1.0",
    sdkVersion: "kfp-2.0.0",
    root: { dag: { tasks: entries(taskOf) } },
    components: Object.fromEntries(names.map((name) => [`comp-${name}`, componentOf(name, tasks[name])])),
    deploymentSpec: {
      executors: Object.fromEntries(
        names.map((name) => [`exec-${name}`, { container: { ...containerOf(tasks[name]), ...container } }]),
      ),
    },
  };
  const parsed = parsePipeline(JSON.stringify(json));
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.pipeline;
}

const artifactType = { schemaTitle: "system.Artifact", schemaVersion: "0.0.1" };

function taskOf(name: string, { after = [], takes, reads, task }: ShellTask) {
  const parameters = takes && {
    in: { taskOutputParameter: { producerTask: takes, outputParameterKey: "out" } },
  };
  const artifacts = reads && {
    source: { taskOutputArtifact: { producerTask: reads, outputArtifactKey: "data" } },
  };
  return {
    taskInfo: { name },
    componentRef: { name: `comp-${name}` },
    dependentTasks: [...after, ...(takes ? [takes] : []), ...(reads ? [reads] : [])],
    inputs: { ...(parameters ? { parameters } : {}), ...(artifacts ? { artifacts } : {}) },
    ...task,
  };
}

function componentOf(name: string, task: ShellTask | undefined) {
  return {
    executorLabel: `exec-${name}`,
    inputDefinitions: {
      ...(task?.takes ? { parameters: { in: { parameterType: "STRING" } } } : {}),
      ...(task?.reads ? { artifacts: { source: { artifactType } } } : {}),
    },
    outputDefinitions: {
      ...(task?.gives ? { parameters: { out: { parameterType: "STRING" } } } : {}),
      ...(task?.makes ? { artifacts: { data: { artifactType } } } : {}),
    },
  };
}

function containerOf(task: ShellTask | undefined) {
  const none = "-";
  return {
    image: "alpine",
    command: ["sh", "-c", task?.run ?? "true", "sh"],
    args: [
      task?.gives ? "{{$.outputs.parameters['out'].output_file}}" : none,
      task?.makes ? "{{$.outputs.artifacts['data'].path}}" : none,
      task?.takes ? "{{$.inputs.parameters['in']}}" : none,
      task?.reads ? "{{$.inputs.artifacts['source'].path}}" : none,
    ],
    env: Object.entries(task?.env ?? {}).map(([name, value]) => ({ name, value })),
  };
}
