import {
  type ComponentInputParameterSpec,
  type ComponentNode,
  inputParameter,
  ownEntry,
  type ParameterInput,
  type PipelineGraph,
  pointer,
} from "@wye/pipeline-spec";
import { kindOf, type ParameterKind } from "./parameter-kind.js";
import { suppliedParameters } from "./parameter-source.js";

/** A constant that a task gives to a declared input. */
export interface Constant {
  readonly input: ParameterInput;
  readonly value: unknown;
  readonly component: ComponentNode;
  readonly declared: ComponentInputParameterSpec;
  readonly kind: ParameterKind | undefined;
}

/** Where a constant stands. */
export const constantAt = ({ input }: Constant): string =>
  input.source?.kind === "constant" ? input.source.at : input.at;

/** Where the input is declared that a constant is for. */
export const declarationAt = ({ input: { name }, component }: Constant): string =>
  pointer(`${component.path}/inputDefinitions/parameters`, name);

/** All constants for inputs that are declared. */
export const constants = (index: PipelineGraph): readonly Constant[] => constantsOf(index, "constant");

/** The same in the form of old files, which says the type of the value. */
export const typedConstants = (index: PipelineGraph): readonly Constant[] =>
  constantsOf(index, "constantValue");

function constantsOf(index: PipelineGraph, form: "constant" | "constantValue"): readonly Constant[] {
  return index.once(suppliedParameters).flatMap((input) => {
    const { spec, name, source } = input;
    const { component } = input.task;
    const written = spec.kind?.$case === "runtimeValue" ? spec.kind.value.value?.$case : undefined;
    if (written !== form || source?.kind !== "constant" || component === undefined) return [];
    const declared = inputParameter(component, name);
    if (declared === undefined) return [];
    // A selector works on the value first, so that its type says nothing.
    const kind = spec.parameterExpressionSelector === "" ? kindOf(declared) : undefined;
    return [{ input, value: source.value, component, declared, kind }];
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
