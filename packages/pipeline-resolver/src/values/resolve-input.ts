import {
  type ComponentInputParameterSpec,
  type ComponentSpec,
  checkArguments,
  checkOptions,
  type InputParameterSpec,
  type PipelineTaskSpec,
} from "@wye/pipeline-spec";
import { checkScope } from "./check-values.js";
import { profiles } from "./convert-parameter.js";
import { type ResolveInputsOptions, resolveTaskInputs } from "./resolve-task-inputs.js";
import type { TaskScope } from "./task-values.js";
import type { Resolved } from "./value-problem.js";

/** Settings of `resolveInput`. */
export interface ResolveInputOptions extends ResolveInputsOptions {
  /** The declaration, when there is one: it says of what type the value is, and what it is without a source. */
  readonly declared?: ComponentInputParameterSpec;
}

const name = "value";
const base = `/inputs/parameters/${name}`;

// Making them by `create` would bring half of the wire code into a bundle.
const emptyTask: PipelineTaskSpec = {
  taskInfo: undefined,
  inputs: undefined,
  dependentTasks: [],
  cachingOptions: undefined,
  componentRef: undefined,
  triggerPolicy: undefined,
  iterator: undefined,
  retryPolicy: undefined,
  iteratorPolicy: undefined,
};
const emptyComponent: ComponentSpec = {
  inputDefinitions: undefined,
  outputDefinitions: undefined,
  implementation: undefined,
  // Stryker disable next-line ArrayDeclaration: nothing that resolves inputs reads it
  singlePlatformSpecs: [],
  // Stryker disable next-line ArrayDeclaration: nor this
  taskConfigPassthroughs: [],
};

/**
 * The value of one input that no task supplies, such as the name of a secret in the settings of a platform: as
 * `resolveTaskInputs` resolves those of a task. Undefined when it has none; problems point into the input.
 */
export function resolveInput(
  spec: InputParameterSpec,
  scope: TaskScope,
  options: ResolveInputOptions = {},
): Resolved<unknown> {
  checkArguments("resolveInput", "object", { spec });
  checkScope("resolveInput", scope);
  checkOptions("resolveInput", options, { profile: profiles, declared: "any" });
  const { declared, ...rest } = options;
  const task = { ...emptyTask, inputs: { parameters: { [name]: spec }, artifacts: {} } };
  const parameters = declared === undefined ? {} : { [name]: declared };
  const component = { ...emptyComponent, inputDefinitions: { parameters, artifacts: {} } };
  const result = resolveTaskInputs(task, component, scope, rest);
  // The task has nothing else that anything could be wrong with.
  const problems = result.problems.map((problem) => ({ ...problem, path: problem.path.slice(base.length) }));
  return result.ok ? { ok: true, value: result.value.parameters[name], problems } : { ok: false, problems };
}
