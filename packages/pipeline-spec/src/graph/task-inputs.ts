import type { InputArtifactSpec, InputParameterSpec } from "../gen/ml_pipelines/pipeline_spec.js";
import { pointer } from "../json-pointer.js";
import { plainValue } from "../typed-value.js";
import { ConstantValue, ParentInput, type Placed, TaskOutput, TaskStatus } from "./input-sources.js";
import type {
  ArtifactInput,
  ComponentNode,
  InputSource,
  ParameterInput,
  TaskInput,
  TaskNode,
} from "./pipeline-graph.js";

/** The inputs that a task supplies, parameters first. */
export function taskInputs(task: TaskNode): readonly TaskInput[] {
  const { parameters = {}, artifacts = {} } = task.spec.inputs ?? {};
  const inputs: TaskInput[] = [];
  for (const [name, spec] of Object.entries(parameters)) inputs.push(new Parameter(task, name, spec));
  for (const [name, spec] of Object.entries(artifacts)) inputs.push(new Artifact(task, name, spec));
  // A list that has grown has room for many more.
  return inputs.slice();
}

class Parameter implements ParameterInput {
  readonly kind = "parameter";
  readonly task: TaskNode;
  readonly name: string;
  readonly spec: InputParameterSpec;
  readonly source: InputSource | undefined;

  constructor(task: TaskNode, name: string, spec: InputParameterSpec) {
    this.task = task;
    this.name = name;
    this.spec = spec;
    this.source = parameterSource(spec, this, task.parent);
  }

  get at(): string {
    return pointer(`${this.task.path}/inputs/parameters`, this.name);
  }
}

class Artifact implements ArtifactInput {
  readonly kind = "artifact";
  readonly task: TaskNode;
  readonly name: string;
  readonly spec: InputArtifactSpec;
  readonly source: InputSource | undefined;

  constructor(task: TaskNode, name: string, spec: InputArtifactSpec) {
    this.task = task;
    this.name = name;
    this.spec = spec;
    this.source = artifactSource(spec, this, task.parent);
  }

  get at(): string {
    return pointer(`${this.task.path}/inputs/artifacts`, this.name);
  }
}

/** What an input parameter takes. @param input  where it stands @param parent  the component around its task */
export function parameterSource(
  { kind }: Pick<InputParameterSpec, "kind">,
  input: Placed,
  parent: ComponentNode,
): InputSource | undefined {
  switch (kind?.$case) {
    case "componentInputParameter":
      return new ParentInput(input, kind.$case, kind.value);
    case "taskOutputParameter": {
      const { producerTask, outputParameterKey } = kind.value;
      const task = parent.tasks?.get(producerTask);
      return new TaskOutput(input, kind.$case, producerTask, outputParameterKey, task);
    }
    case "taskFinalStatus": {
      const { producerTask } = kind.value;
      return new TaskStatus(input, producerTask, parent.tasks?.get(producerTask));
    }
    case "runtimeValue": {
      const { value } = kind.value;
      if (value === undefined) return undefined;
      const field = `runtimeValue/${value.$case}` as const;
      // The old name of what is an input of the enclosing component.
      if (value.$case === "runtimeParameter") return new ParentInput(input, field, value.value);
      const constant = value.$case === "constant" ? value.value : plainValue(value.value);
      return new ConstantValue(input, field, constant);
    }
    default:
      return undefined;
  }
}

function artifactSource(
  { kind }: InputArtifactSpec,
  input: Placed,
  parent: ComponentNode,
): InputSource | undefined {
  if (kind?.$case === "componentInputArtifact") return new ParentInput(input, kind.$case, kind.value);
  if (kind?.$case !== "taskOutputArtifact") return undefined;
  const { producerTask, outputArtifactKey } = kind.value;
  return new TaskOutput(input, kind.$case, producerTask, outputArtifactKey, parent.tasks?.get(producerTask));
}
