import {
  type ComponentSpec,
  checkArguments,
  checkOptions,
  ownEntry,
  type PipelineTaskSpec,
} from "@wye/pipeline-spec";
import { jsonFromText } from "../json-from-text.js";
import { InsertionLimit } from "../placeholders/insertion-limit.js";
import type { RunFacts } from "../placeholders/resolve-placeholders.js";
import { checkInputs } from "./check-values.js";
import { resolveConstant } from "./constant.js";
import { convertParameter, kindOf, type Profile, profiles } from "./convert-parameter.js";
import { parameterTypeOf } from "./parameter-type.js";
import type { TaskInputs, TaskOutputs } from "./task-values.js";
import { type Resolved, resolved, ValueProblems } from "./value-problem.js";

/** The input that receives each item; undefined for a task that is no loop. */
export function itemInputOf({ iterator }: PipelineTaskSpec): string | undefined {
  return iterator?.value.itemInput;
}

/** Settings of `resolveIterations`. */
export interface IterationOptions {
  readonly profile?: Profile;
  /** What placeholders in literal items can say about the run. */
  readonly facts?: RunFacts;
}

/** The iterations of a loop, in the order of its items. */
export interface LoopIterations {
  readonly count: number;
  /**
   * The inputs of one of them, from 0: those of the loop with the item in its place. They are made when they are asked for, so that a
   * loop over many items with many inputs beside costs as much as is running of it.
   */
  readonly inputsOf: (index: number) => TaskInputs;
}

/**
 * The iterations of a loop. The list that it goes over stays visible in each, because bodies of loops refer to it. Text that is
 * JSON but no list counts as no items, as on the back end.
 */
export function resolveIterations(
  task: PipelineTaskSpec,
  component: ComponentSpec,
  inputs: TaskInputs,
  options: IterationOptions = {},
): Resolved<LoopIterations> {
  checkArguments("resolveIterations", "object", { task, component });
  checkInputs("resolveIterations", inputs);
  checkOptions("resolveIterations", options, { profile: profiles, facts: "any" });
  const problems = new ValueProblems();
  const { iterator } = task;
  if (!iterator) throw new TypeError("resolveIterations takes a task with an iterator");
  const iterations =
    iterator.$case === "artifactIterator"
      ? artifactIterations(
          iterator.value.items?.inputArtifact ?? "",
          iterator.value.itemInput,
          inputs,
          problems,
        )
      : parameterIterations(iterator.value, component, inputs, options, problems);
  return resolved(iterations, problems);
}

function artifactIterations(
  source: string,
  item: string,
  inputs: TaskInputs,
  problems: ValueProblems,
): LoopIterations {
  const list = ownEntry(inputs.artifacts, source);
  if (!list) {
    const message = `the loop goes over the input artifact ${source}, which is not there`;
    problems.error("items", ["artifactIterator", "items", "inputArtifact"], message);
  }
  return iterationsOver(list?.artifacts ?? [], (artifact) => ({
    ...inputs,
    artifacts: { ...inputs.artifacts, [item]: { artifacts: [artifact] } },
  }));
}

function iterationsOver<T>(items: readonly T[], inputsWith: (item: T) => TaskInputs): LoopIterations {
  return {
    count: items.length,
    inputsOf(index) {
      if (!Number.isInteger(index) || index < 0 || index >= items.length) {
        throw new RangeError(`the loop has no iteration ${index}: it has ${items.length}`);
      }
      // It is there, and may be any value.
      return inputsWith(items[index] as T);
    },
  };
}

type ParameterIterator = Extract<
  NonNullable<PipelineTaskSpec["iterator"]>,
  { $case: "parameterIterator" }
>["value"];

function parameterIterations(
  { items, itemInput }: ParameterIterator,
  component: ComponentSpec,
  inputs: TaskInputs,
  { profile = "kfp", facts = {} }: IterationOptions,
  problems: ValueProblems,
): LoopIterations {
  const path = ["parameterIterator", "items"];
  const declared = ownEntry(component.inputDefinitions?.parameters, itemInput);
  const type = declared ? parameterTypeOf(declared) : "unspecified";
  const values = itemsOf(items, inputs, facts, path, problems).map((item, i) => {
    const conversion = convertParameter(item, type, { profile });
    if (!conversion.ok) problems.error("type", path, `item ${i} of the loop: ${conversion.message}`);
    else if (conversion.warning) problems.warn("type", path, `item ${i} of the loop: ${conversion.warning}`);
    return conversion.ok ? conversion.value : item;
  });
  return iterationsOver(values, (value) => ({
    ...inputs,
    parameters: { ...inputs.parameters, [itemInput]: value },
  }));
}

function itemsOf(
  items: ParameterIterator["items"],
  inputs: TaskInputs,
  facts: RunFacts,
  path: readonly string[],
  problems: ValueProblems,
): readonly unknown[] {
  const kind = items?.kind;
  if (kind?.$case === "raw") {
    const list = listFrom(kind.value, [...path, "raw"], problems);
    const messages: string[] = [];
    const parameter = (name: string) =>
      Object.hasOwn(inputs.parameters, name)
        ? { value: inputs.parameters[name] }
        : `there is no input parameter ${name}`;
    const resolvedList = resolveConstant(
      list,
      { parameter, artifacts: inputs.artifacts, facts, limit: new InsertionLimit() },
      messages,
    );
    for (const message of messages) problems.error("placeholder", [...path, "raw"], message);
    return Array.isArray(resolvedList) ? resolvedList : [];
  }
  if (kind?.$case !== "inputParameter") {
    problems.error("no-source", path, "nothing says what the loop goes over");
    return [];
  }
  const value = ownEntry(inputs.parameters, kind.value);
  const place = [...path, kind.$case];
  if (value === undefined) {
    problems.error("items", place, `the loop goes over the input ${kind.value}, which has no value`);
    return [];
  }
  return listFrom(value, place, problems);
}

function listFrom(value: unknown, path: readonly string[], problems: ValueProblems): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") {
    problems.error("items", path, `a loop goes over a list, got ${kindOf(value)}`);
    return [];
  }
  const json = jsonFromText(value);
  if (!json.ok) {
    problems.error(
      "items",
      path,
      `a loop goes over a list, or a text that holds one as JSON: ${json.reason}`,
    );
    return [];
  }
  return Array.isArray(json.value) ? json.value : [];
}

/**
 * What a loop has made, seen from outside: of each output parameter the list of the values of all iterations in their order, of each
 * artifact one list of all. Iterations whose producer did not run are left out; no iterations give empty lists. Parameters of
 * loops in loops are lists of lists, artifacts are flat.
 */
export function collectIterations(component: ComponentSpec, iterations: readonly TaskOutputs[]): TaskOutputs {
  checkArguments("collectIterations", "object", { component });
  checkArguments("collectIterations", "list", { iterations });
  const { parameters = {}, artifacts = {} } = component.outputDefinitions ?? {};
  const collect = <T, R>(
    names: object,
    entries: (one: TaskOutputs) => { readonly [name: string]: T },
    join: (all: T[]) => R,
  ) =>
    Object.fromEntries(
      Object.keys(names).map((name) => [
        name,
        join(
          iterations.flatMap((one) => (Object.hasOwn(entries(one), name) ? [entries(one)[name] as T] : [])),
        ),
      ]),
    );
  return {
    parameters: collect(
      parameters,
      (one) => one.parameters,
      (all) => all,
    ),
    artifacts: collect(
      artifacts,
      (one) => one.artifacts,
      (all) => ({ artifacts: all.flatMap((list) => list.artifacts) }),
    ),
  };
}
