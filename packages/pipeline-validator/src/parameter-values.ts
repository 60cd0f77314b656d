import {
  type ComponentInputParameterSpec,
  inputParameter,
  ownEntry,
  type PipelineGraph,
  pointer,
} from "@wye/pipeline-spec";
import { kindOf, type ParameterKind } from "./parameter-kind.js";
import { suppliedParameters } from "./parameter-source.js";

/** A constant that a task gives to a declared input. */
export interface Constant {
  readonly at: string;
  readonly name: string;
  readonly value: unknown;
  readonly declared: ComponentInputParameterSpec;
  readonly declaredAt: string;
  readonly kind: ParameterKind | undefined;
}

/** All constants for inputs that are declared. */
export function constants(index: PipelineGraph): readonly Constant[] {
  return index.once(suppliedParameters).flatMap(({ task, name, at, spec }) => {
    const { component } = task;
    const declared = component && inputParameter(component, name);
    const value = spec.kind?.$case === "runtimeValue" ? spec.kind.value.value : undefined;
    if (component === undefined || declared === undefined || value?.$case !== "constant") return [];
    const declaredAt = pointer(`${component.path}/inputDefinitions/parameters`, name);
    // A selector works on the value first, so that its type says nothing.
    const kind = spec.parameterExpressionSelector === "" ? kindOf(declared) : undefined;
    return [{ at: `${at}/runtimeValue/constant`, name, value: value.value, declared, declaredAt, kind }];
  });
}

/** A declared input parameter of a component. */
export interface Declaration {
  readonly at: string;
  readonly name: string;
  readonly declared: ComponentInputParameterSpec;
  readonly kind: ParameterKind | undefined;
}

/** All declared input parameters. */
export function declarations({ components }: PipelineGraph): readonly Declaration[] {
  const all: Declaration[] = [];
  for (const { spec, path } of components) {
    const parameters = spec.inputDefinitions?.parameters ?? {};
    for (const name of Object.keys(parameters)) {
      const declared = ownEntry(parameters, name);
      if (declared === undefined) continue;
      all.push({
        at: pointer(`${path}/inputDefinitions/parameters`, name),
        name,
        declared,
        kind: kindOf(declared),
      });
    }
  }
  return all;
}
