import type {
  ConstantSource,
  OutputSource,
  ParentInputSource,
  StatusSource,
  TaskNode,
} from "./pipeline-graph.js";

// A large file has hundreds of thousands of inputs, and a pointer takes more memory than all else that is known of one: they
// are put together when they are asked for.

/** What has a place, which may be put together anew each time. */
export interface Placed {
  readonly at: string;
}

/** What an input takes, at a field of it. */
abstract class Source {
  private readonly input: Placed;
  private readonly field: string;

  constructor(input: Placed, field: string) {
    this.input = input;
    this.field = field;
  }

  get at(): string {
    return `${this.input.at}/${this.field}`;
  }
}

/** A value that stands in the specification. */
export class ConstantValue extends Source implements ConstantSource {
  readonly kind = "constant";
  readonly value: unknown;

  constructor(input: Placed, field: string, value: unknown) {
    super(input, field);
    this.value = value;
  }
}

/** An input of the component around the task. */
export class ParentInput extends Source implements ParentInputSource {
  readonly kind = "input";
  readonly name: string;

  constructor(input: Placed, field: string, name: string) {
    super(input, field);
    this.name = name;
  }
}

/** How another task ended. */
export class TaskStatus extends Source implements StatusSource {
  readonly kind = "status";
  readonly producer: string;
  readonly task: TaskNode | undefined;

  constructor(input: Placed, producer: string, task: TaskNode | undefined) {
    super(input, "taskFinalStatus");
    this.producer = producer;
    this.task = task;
  }

  get producerAt(): string {
    return `${this.at}/producerTask`;
  }
}

/** An output of another task. */
export class TaskOutput extends Source implements OutputSource {
  readonly kind = "output";
  readonly producer: string;
  readonly key: string;
  readonly task: TaskNode | undefined;
  private readonly keyField: string;

  constructor(
    input: Placed,
    field: "taskOutputParameter" | "taskOutputArtifact",
    producer: string,
    key: string,
    task: TaskNode | undefined,
  ) {
    super(input, field);
    this.producer = producer;
    this.key = key;
    this.task = task;
    this.keyField = field === "taskOutputParameter" ? "outputParameterKey" : "outputArtifactKey";
  }

  get producerAt(): string {
    return `${this.at}/producerTask`;
  }

  get keyAt(): string {
    return `${this.at}/${this.keyField}`;
  }
}
