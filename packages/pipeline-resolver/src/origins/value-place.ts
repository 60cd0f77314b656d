import {
  type ComponentNode,
  describeComponent,
  inputArtifact,
  inputParameter,
  type OutputReference,
  pointer,
  type TaskInput,
  type TaskNode,
  type ValueKind,
} from "@wye/pipeline-spec";
import { parsePlaceholders } from "../placeholders/parse-placeholders.js";
import { shortValue } from "./short-value.js";

/**
 * What a value passes through or begins at: an input of a task, an input of a component, an output of a task, an item of a
 * loop; and as a beginning what a run is given, a default, a constant, how a task ended, what an executor writes, or nothing.
 */
export type ValueStepKind =
  | "task-input"
  | "component-input"
  | "output"
  | "item"
  | "run"
  | "default"
  | "constant"
  | "status"
  | "executor"
  | "nothing";

/** A place that a value passes through. */
export interface ValuePlace {
  readonly kind: ValueStepKind;
  /** JSON pointer from the root of the specification. */
  readonly at: string;
  readonly text: string;
  /** Where it comes from; several when there are several possibilities. Absent where it begins. */
  readonly before?: () => readonly ValuePlace[];
}

const listOf = { parameter: "parameters", artifact: "artifacts" } as const;
const quote = (name: string): string => JSON.stringify(name);
const nothing = (at: string, text: string): ValuePlace => ({ kind: "nothing", at, text });

/** An input of a task, supplied or not. */
export function taskInputPlace(task: TaskNode, kind: ValueKind, name: string): ValuePlace {
  const input = task.input(kind, name);
  const what = `input ${quote(name)} of task ${quote(task.name)}`;
  if (input !== undefined) {
    const selector = input.kind === "parameter" ? input.spec.parameterExpressionSelector : "";
    const text = selector === "" ? what : `${what}, the part ${selector}`;
    return { kind: "task-input", at: input.at, text, before: () => sourcePlaces(input) };
  }
  const { iterator } = task.spec;
  if (iterator?.value.itemInput === name && iterator.value.items !== undefined) {
    const at = `${task.path}/${iterator.$case}/items`;
    return { kind: "item", at, text: `${what}: an item of its loop`, before: () => itemPlaces(task, at) };
  }
  return { kind: "task-input", at: task.path, text: what, before: () => [unsupplied(task, kind, name)] };
}

function itemPlaces(task: TaskNode, at: string): readonly ValuePlace[] {
  const { iterator } = task.spec;
  if (iterator?.$case === "artifactIterator") {
    return [taskInputPlace(task, "artifact", iterator.value.items?.inputArtifact ?? "")];
  }
  const items = iterator?.value.items?.kind;
  if (items?.$case === "raw") {
    return [{ kind: "constant", at: `${at}/raw`, text: `the list ${shortValue(items.value)}` }];
  }
  return [taskInputPlace(task, "parameter", items?.value ?? "")];
}

/** What an input gets that the task says nothing about. */
function unsupplied({ component, path }: TaskNode, kind: ValueKind, name: string): ValuePlace {
  if (component === undefined) return nothing(path, "nothing: the task does not supply it");
  return (
    defaultPlace(component, kind, name) ??
    nothing(path, "nothing: the task does not supply it, and it has no default")
  );
}

function defaultPlace(component: ComponentNode, kind: ValueKind, name: string): ValuePlace | undefined {
  const value = kind === "parameter" ? inputParameter(component, name)?.defaultValue : undefined;
  if (value === undefined) return undefined;
  const at = pointer(component.path, "inputDefinitions", "parameters", name, "defaultValue");
  return { kind: "default", at, text: `the default ${shortValue(value)}` };
}

function sourcePlaces({ task, kind, source, at }: TaskInput): readonly ValuePlace[] {
  switch (source?.kind) {
    case "input":
      return [componentInputPlace(task.parent, kind, source.name)];
    case "output":
      return [outputPlace(source, kind, at)];
    case "status":
      return [
        {
          kind: "status",
          at: source.task?.path ?? source.at,
          text: `how task ${quote(source.producer)} ended`,
        },
      ];
    case "constant":
      return [constantPlace(task, source.value, source.at)];
    default:
      return [nothing(at, "nothing: the input names no source")];
  }
}

/** A constant, and the inputs of the task that its placeholders name. */
function constantPlace(task: TaskNode, value: unknown, at: string): ValuePlace {
  const place = { kind: "constant", at, text: `the constant ${shortValue(value)}` } as const;
  const named = [...new Set(namedInputs(value))];
  if (named.length === 0) return place;
  return {
    ...place,
    before: () =>
      named.map((key) => {
        const [kind, name] = key.startsWith("a")
          ? ["artifact" as const, key.slice(1)]
          : ["parameter" as const, key.slice(1)];
        return taskInputPlace(task, kind, name);
      }),
  };
}

/** The inputs that placeholders in a constant name, each after the first letter of its kind. */
function* namedInputs(value: unknown): Generator<string> {
  if (typeof value === "string") {
    if (!value.includes("{{$")) return;
    for (const segment of parsePlaceholders(value).segments) {
      if (segment.kind !== "placeholder") continue;
      const { placeholder } = segment;
      if (placeholder.kind === "input-parameter") yield `p${placeholder.name}`;
      else if (placeholder.kind === "input-artifact") yield `a${placeholder.name}`;
    }
  } else if (typeof value === "object" && value !== null) {
    for (const one of Object.values(value)) yield* namedInputs(one);
  }
}

/** An input of a component, which every task that runs it may supply. */
export function componentInputPlace(component: ComponentNode, kind: ValueKind, name: string): ValuePlace {
  const declared = (kind === "parameter" ? inputParameter : inputArtifact)(component, name);
  const owner = component.name === undefined ? "the pipeline" : describeComponent(component);
  if (declared === undefined) {
    return nothing(component.path, `nothing: ${owner} has no input ${kind} ${quote(name)}`);
  }
  const at = pointer(component.path, "inputDefinitions", listOf[kind], name);
  const text = `input ${quote(name)} of ${owner}`;
  return { kind: "component-input", at, text, before: () => suppliers(component, kind, name, at) };
}

function suppliers(
  component: ComponentNode,
  kind: ValueKind,
  name: string,
  at: string,
): readonly ValuePlace[] {
  if (component.name !== undefined) {
    const places = component.uses.map((task) => taskInputPlace(task, kind, name));
    return places.length === 0 ? [nothing(component.path, "nothing: no task runs the component")] : places;
  }
  const fallback = defaultPlace(component, kind, name);
  return [{ kind: "run", at, text: "what the run is given" }, ...(fallback === undefined ? [] : [fallback])];
}

/** An output of a task. @param from  the place that names it */
function outputPlace({ task, producer, key }: OutputReference, kind: ValueKind, from: string): ValuePlace {
  if (task === undefined) return nothing(from, `nothing: there is no task ${quote(producer)} beside it`);
  return taskOutputPlace(task, kind, key);
}

/** An output of a task; of a loop, that of all its iterations. */
export function taskOutputPlace(task: TaskNode, kind: ValueKind, name: string): ValuePlace {
  const { component, path, spec } = task;
  if (component === undefined) {
    return nothing(path, `nothing: the component of task ${quote(task.name)} does not exist`);
  }
  const producer = `${spec.iterator === undefined ? "" : "all iterations of "}task ${quote(task.name)}`;
  return {
    kind: "output",
    at: path,
    text: `output ${quote(name)} of ${producer}`,
    before: () => [
      component.tasks === undefined
        ? executorPlace(component, task)
        : componentOutputPlace(component, kind, name),
    ],
  };
}

/** An output of a component. */
export function componentOutputPlace(component: ComponentNode, kind: ValueKind, name: string): ValuePlace {
  const owner = component.name === undefined ? "the pipeline" : describeComponent(component);
  const text = `output ${quote(name)} of ${owner}`;
  if (component.tasks === undefined) {
    const at = pointer(component.path, "outputDefinitions", listOf[kind], name);
    return { kind: "output", at, text, before: () => [executorPlace(component, undefined)] };
  }
  const chosen = component.selectorsOf(kind, name);
  if (chosen.length === 0) {
    return nothing(component.path, `nothing: no task of ${owner} gives its output ${quote(name)}`);
  }
  return {
    kind: "output",
    at: pointer(component.path, "dag", "outputs", listOf[kind], name),
    text: chosen.length > 1 ? `${text}, the first of these that has a value` : text,
    before: () => chosen.map((selector) => outputPlace(selector, kind, selector.at)),
  };
}

/** What runs a component. @param task  the task that runs it, where that is known */
function executorPlace(component: ComponentNode, task: TaskNode | undefined): ValuePlace {
  const { executor } = component;
  if (executor === undefined) return nothing(component.path, "nothing: the component has no executor");
  const place = { kind: "executor", at: executor.path } as const;
  const form = executor.spec.spec;
  if (form?.$case !== "importer") return { ...place, text: `what executor ${quote(executor.label)} writes` };
  const uri = form.value.artifactUri?.value;
  const text = `what executor ${quote(executor.label)} imports`;
  if (uri?.$case !== "runtimeParameter") {
    const constant = uri?.$case === "constant" ? uri.value : uri?.value.value?.value;
    return { ...place, text: `${text} from ${shortValue(constant)}` };
  }
  const before = () => [
    task === undefined
      ? componentInputPlace(component, "parameter", uri.value)
      : taskInputPlace(task, "parameter", uri.value),
  ];
  return { ...place, text, before };
}
