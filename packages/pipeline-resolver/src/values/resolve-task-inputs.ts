import {
  type ArtifactList,
  type ComponentInputParameterSpec,
  type ComponentSpec,
  checkArguments,
  checkOptions,
  didYouMean,
  type InputParameterSpec,
  jsonEquals,
  ownEntry,
  type PipelineTaskSpec,
  plainValue,
} from "@wye/pipeline-spec";
import { compileExpression, type Selector } from "../expressions/compile-expression.js";
import { InsertionLimit } from "../placeholders/insertion-limit.js";
import { renderJson } from "../render-value.js";
import { checkScope } from "./check-values.js";
import { resolveConstant } from "./constant.js";
import { convertParameter, doubtsOf, doubtsOfText, type Profile, profiles } from "./convert-parameter.js";
import { defaultOfType } from "./default-of-type.js";
import { itemInputOf } from "./iterations.js";
import { parameterTypeOf } from "./parameter-type.js";
import { noOutput, resolveTaskArtifacts } from "./resolve-task-artifacts.js";
import type { TaskInputs, TaskScope } from "./task-values.js";
import { type Resolved, resolved, ValueProblems } from "./value-problem.js";

/** Settings of `resolveTaskInputs`. */
export interface ResolveInputsOptions {
  readonly profile?: Profile;
}

/**
 * The inputs of a task that is about to start, from the inputs of the DAG around it and the outputs of its siblings: sources,
 * allowed values, selectors, conversion to the declared types and defaults, in this order. Inputs that the component does not
 * declare are kept, because placeholders may name them. Pure; all problems at once, with pointers into the task.
 */
export function resolveTaskInputs(
  task: PipelineTaskSpec,
  component: ComponentSpec,
  scope: TaskScope,
  options: ResolveInputsOptions = {},
): Resolved<TaskInputs> {
  return compileTaskInputs(task, component, options)(scope);
}

/** `resolveTaskInputs` for a task that runs several times: its selectors are compiled once. */
export function compileTaskInputs(
  task: PipelineTaskSpec,
  component: ComponentSpec,
  options: ResolveInputsOptions = {},
): (scope: TaskScope) => Resolved<TaskInputs> {
  checkArguments("resolveTaskInputs", "object", { task, component });
  checkOptions("resolveTaskInputs", options, { profile: profiles });
  const selectors = new Map<string, Selector>();
  const selectorOf = (text: string): Selector => {
    const selector = selectors.get(text) ?? compileExpression(text, "selector");
    selectors.set(text, selector);
    return selector;
  };
  return (scope) => {
    checkScope("resolveTaskInputs", scope);
    const resolution = new InputResolution(task, component, scope, options, selectorOf);
    return resolved(resolution.inputs(), resolution.problems);
  };
}

/** How many inputs may need one another in a row, far from what the stack can take. */
const longestChain = 100;

/** No value, and nothing wrong with that. */
const absent = Symbol("absent");

class InputResolution {
  readonly problems = new ValueProblems();
  readonly #task: PipelineTaskSpec;
  readonly #component: ComponentSpec;
  readonly #scope: TaskScope;
  readonly #options: ResolveInputsOptions;
  readonly #selectorOf: (text: string) => Selector;
  readonly #artifacts: Record<string, ArtifactList>;
  /** The values so far; `undefined` while one is being resolved, `absent` for none. */
  readonly #values = new Map<string, unknown>();
  readonly #defaulted: string[] = [];
  readonly #limit = new InsertionLimit();
  /** How many inputs are being resolved, each because the one before needs it. */
  #needed = 0;

  constructor(
    task: PipelineTaskSpec,
    component: ComponentSpec,
    scope: TaskScope,
    options: ResolveInputsOptions,
    selectorOf: (text: string) => Selector,
  ) {
    this.#selectorOf = selectorOf;
    this.#task = task;
    this.#component = component;
    this.#scope = scope;
    this.#options = options;
    this.#artifacts = resolveTaskArtifacts(task, component, scope, this.problems);
  }

  inputs(): TaskInputs {
    const given = Object.keys(this.#task.inputs?.parameters ?? {});
    for (const name of given) this.#parameter(name);
    for (const [name, spec] of Object.entries(this.#component.inputDefinitions?.parameters ?? {})) {
      // What could not be resolved is undefined, and has been reported.
      const value = this.#values.has(name) ? this.#values.get(name) : absent;
      if (value === absent) this.#values.set(name, this.#fallback(name, spec));
    }
    const entries = [...this.#values].filter(([, value]) => value !== absent && value !== undefined);
    return {
      parameters: Object.fromEntries(entries),
      artifacts: this.#artifacts,
      defaulted: this.#defaulted,
    };
  }

  /**
   * What an input gets that nobody gave a value: its default; by the specification that of its type; null in a DAG, where tasks may refer to it;
   * nothing in a container.
   */
  #fallback(name: string, spec: ComponentInputParameterSpec): unknown {
    if (spec.defaultValue !== undefined) {
      this.#defaulted.push(name);
      return this.#default(name, spec);
    }
    const bySystem = parameterTypeOf(spec) === "TASK_CONFIG" || itemInputOf(this.#task) === name;
    if (spec.isOptional) {
      const value = this.#options.profile === "spec" ? defaultOfType(parameterTypeOf(spec)) : undefined;
      if (value === undefined && this.#component.implementation?.$case !== "dag") return absent;
      this.#defaulted.push(name);
      return value ?? null;
    }
    if (bySystem) return absent;
    const message = `the required input ${name} has neither a value nor a default`;
    return this.problems.error("missing", ["inputs", "parameters", name], message);
  }

  /** A default in its declared type. That of a container goes to the program as it stands on the back end, where nothing looks at it. */
  #default(name: string, spec: ComponentInputParameterSpec): unknown {
    const isFree = this.#options.profile !== "spec" && this.#component.implementation?.$case !== "dag";
    const conversion = convertParameter(spec.defaultValue, parameterTypeOf(spec), this.#options);
    if (conversion.ok || !isFree) return this.#convert(name, spec, spec.defaultValue);
    this.problems.warn(
      "type",
      ["inputs", "parameters", name],
      `the default of ${name}: ${conversion.message}`,
    );
    return spec.defaultValue;
  }

  /** The value of a parameter that the task gives, resolved when it is first asked for. */
  #parameter(name: string): unknown {
    if (this.#values.has(name)) return this.#values.get(name);
    this.#values.set(name, undefined);
    const spec = ownEntry(this.#task.inputs?.parameters, name);
    const declared = ownEntry(this.#component.inputDefinitions?.parameters, name);
    const value = spec ? this.#resolve(name, spec, declared) : absent;
    this.#values.set(name, value);
    return value;
  }

  #resolve(
    name: string,
    spec: InputParameterSpec,
    declared: ComponentInputParameterSpec | undefined,
  ): unknown {
    const optional = declared === undefined || declared.isOptional || declared.defaultValue !== undefined;
    const path = ["inputs", "parameters", name];
    let value = this.#source(name, spec, optional);
    if (value === undefined) return undefined;
    if (value === null) {
      if (!optional) return this.problems.error("null", path, `null reaches the required input ${name}`);
      if (spec.kind?.$case === "runtimeValue") {
        const message = `the constant of ${name} is null, which the back end takes for no value of a text only`;
        this.problems.warn("null", path, message, "leave the input out");
      }
      value = absent;
    }
    if (value !== absent && declared && declared.literals.length > 0) {
      const given = value;
      if (!declared.literals.some((literal) => jsonEquals(literal, given))) {
        const allowed = renderJson(declared.literals);
        return this.problems.error(
          "literal",
          path,
          `${renderJson(value)} is not one of the values allowed: ${allowed}`,
        );
      }
    }
    if (spec.parameterExpressionSelector !== "")
      value = this.#select(name, spec.parameterExpressionSelector, value);
    if (value === undefined || value === absent) return value;
    if (declared) return this.#convert(name, declared, value);
    this.#remark(name, doubtsOf(value));
    return value;
  }

  #remark(name: string, message: string | undefined): void {
    if (message !== undefined)
      this.problems.warn("type", ["inputs", "parameters", name], `input ${name}: ${message}`);
  }

  #select(name: string, text: string, value: unknown): unknown {
    const path = ["inputs", "parameters", name, "parameterExpressionSelector"];
    if (value === absent) return this.problems.error("selector", path, "there is no value to select from");
    const result = this.#selectorOf(text).evaluate(value);
    if (result.ok) {
      if (typeof value === "string") this.#remark(name, doubtsOfText(result.value, value));
      return result.value;
    }
    const { message, hint } = result.problem;
    return this.problems.error("selector", path, message, hint);
  }

  #convert(name: string, declared: ComponentInputParameterSpec, value: unknown): unknown {
    const path = ["inputs", "parameters", name];
    const conversion = convertParameter(value, parameterTypeOf(declared), this.#options);
    if (!conversion.ok) return this.problems.error("type", path, `input ${name}: ${conversion.message}`);
    this.#remark(name, conversion.warning);
    return conversion.value;
  }

  #source(name: string, { kind }: InputParameterSpec, optional: boolean): unknown {
    const path = ["inputs", "parameters", name];
    switch (kind?.$case) {
      case "componentInputParameter":
        return this.#outer(kind.value, [...path, kind.$case]);
      case "taskOutputParameter": {
        const { producerTask, outputParameterKey } = kind.value;
        const value = ownEntry(this.#scope.outputs.get(producerTask)?.parameters, outputParameterKey);
        if (value !== undefined) return value;
        if (optional) return absent;
        const message = noOutput(this.#scope, producerTask, outputParameterKey);
        return this.problems.error("unknown-source", [...path, kind.$case], message);
      }
      case "taskFinalStatus": {
        const producer = kind.value.producerTask || this.#task.dependentTasks[0];
        const status = producer === undefined ? undefined : this.#scope.finalStatus?.(producer);
        if (status !== undefined) return status;
        const message = `the final status of ${producer ?? "the task before"} is not known`;
        return this.problems.error("unknown-source", [...path, kind.$case], message);
      }
      case "runtimeValue":
        return this.#runtimeValue(name, kind.value, path);
      default:
        return this.problems.error("no-source", path, `nothing says where the value of ${name} comes from`);
    }
  }

  /** An input of the enclosing DAG. All that it declares have a value, if only null. */
  #outer(name: string, path: readonly string[]): unknown {
    const value = ownEntry(this.#scope.parameters, name);
    if (value !== undefined) return value;
    const near = didYouMean(name, Object.keys(this.#scope.parameters));
    const hint = near === undefined ? undefined : `did you mean ${near}?`;
    return this.problems.error(
      "unknown-source",
      path,
      `the enclosing DAG has no input parameter ${name}`,
      hint,
    );
  }

  #runtimeValue(
    name: string,
    { value: of }: Extract<NonNullable<InputParameterSpec["kind"]>, { $case: "runtimeValue" }>["value"],
    path: readonly string[],
  ): unknown {
    if (of?.$case === "runtimeParameter") return this.#outer(of.value, [...path, "runtimeValue", of.$case]);
    if (of?.$case === "constantValue") return plainValue(of.value);
    if (of?.$case !== "constant") {
      return this.problems.error("no-source", path, `nothing says what the value of ${name} is`);
    }
    const messages: string[] = [];
    const { facts = {} } = this.#scope;
    const parameter = (other: string) => this.#other(other);
    const value = resolveConstant(
      of.value ?? null,
      { parameter, artifacts: this.#artifacts, facts, limit: this.#limit },
      messages,
    );
    for (const message of messages) {
      this.problems.error("placeholder", [...path, "runtimeValue", "constant"], `input ${name}: ${message}`);
    }
    return messages.length > 0 ? undefined : value;
  }

  /** Another input of the same task, for a placeholder in a constant. */
  #other(name: string): { readonly value: unknown } | string {
    const declared = ownEntry(this.#component.inputDefinitions?.parameters, name);
    if (!declared && !ownEntry(this.#task.inputs?.parameters, name))
      return `there is no input parameter ${name}`;
    if (this.#values.has(name) && this.#values.get(name) === undefined) {
      return `the constant needs the input ${name}, which needs this one or has no value`;
    }
    if (this.#needed >= longestChain) return `more than ${longestChain} inputs need one another in a row`;
    this.#needed++;
    const value = this.#parameter(name);
    this.#needed--;
    if (value === undefined) return `the input ${name} has no value`;
    return { value: value === absent ? (declared?.defaultValue ?? null) : value };
  }
}
