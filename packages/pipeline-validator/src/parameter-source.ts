import type { InputArtifactSpec, InputParameterSpec } from "@wye/pipeline-spec";
import type { ArtifactDeclaration } from "./artifact-type.js";
import { ownEntry } from "./own-entry.js";
import { kindOf, type ParameterKind } from "./parameter-kind.js";
import {
  inputArtifact,
  inputParameter,
  outputArtifact,
  outputParameter,
  type PipelineIndex,
  type TaskNode,
} from "./pipeline-index.js";
import { pointer } from "./pointer.js";
import type { RelatedFinding } from "./rule.js";

/** An input parameter that a task supplies. */
export interface SuppliedParameter {
  readonly task: TaskNode;
  readonly name: string;
  readonly at: string;
  readonly spec: InputParameterSpec;
}

/** An input artifact that a task supplies. */
export interface SuppliedArtifact {
  readonly task: TaskNode;
  readonly name: string;
  readonly at: string;
  readonly spec: InputArtifactSpec;
}

/** All input parameters that tasks supply. */
export function suppliedParameters({ tasks }: PipelineIndex): readonly SuppliedParameter[] {
  const supplied: SuppliedParameter[] = [];
  for (const task of tasks) {
    const parameters = task.spec.inputs?.parameters ?? {};
    for (const name of Object.keys(parameters)) {
      const spec = ownEntry(parameters, name);
      if (spec === undefined) continue;
      supplied.push({ task, name, at: pointer(`${task.path}/inputs/parameters`, name), spec });
    }
  }
  return supplied;
}

/** All input artifacts that tasks supply. */
export function suppliedArtifacts({ tasks }: PipelineIndex): readonly SuppliedArtifact[] {
  const supplied: SuppliedArtifact[] = [];
  for (const task of tasks) {
    const artifacts = task.spec.inputs?.artifacts ?? {};
    for (const name of Object.keys(artifacts)) {
      const spec = ownEntry(artifacts, name);
      if (spec === undefined) continue;
      supplied.push({ task, name, at: pointer(`${task.path}/inputs/artifacts`, name), spec });
    }
  }
  return supplied;
}

/** Where a value comes from, as far as it is declared. */
export interface Source<Declaration> {
  readonly declaration: Declaration;
  /** The place of the declaration, for people. */
  readonly declared: RelatedFinding;
  /** The place inside the input that names the source. */
  readonly at: string;
}

/** The declared type of the source of an input parameter; undefined for constants and unknown sources. */
export function parameterSource(
  supplied: SuppliedParameter,
): (Source<ParameterKind> & { readonly isOptional: boolean }) | undefined {
  const { task, spec, at } = supplied;
  const { kind } = spec;
  if (kind?.$case === "componentInputParameter") {
    const declaration = inputParameter(task.parent, kind.value);
    const found = kindOf(declaration);
    if (declaration === undefined || found === undefined) return undefined;
    const isOptional = declaration.isOptional && declaration.defaultValue === undefined;
    const place = pointer(`${task.parent.path}/inputDefinitions/parameters`, kind.value);
    return { declaration: found, declared: declared(place), at: `${at}/componentInputParameter`, isOptional };
  }
  if (kind?.$case !== "taskOutputParameter") return undefined;
  const producer = task.parent.tasks?.get(kind.value.producerTask)?.component;
  const key = kind.value.outputParameterKey;
  const found = producer && kindOf(outputParameter(producer, key));
  if (producer === undefined || found === undefined) return undefined;
  const place = pointer(`${producer.path}/outputDefinitions/parameters`, key);
  const from = `${at}/taskOutputParameter/outputParameterKey`;
  return { declaration: found, declared: declared(place), at: from, isOptional: false };
}

/** The declaration of the source of an input artifact. */
export function artifactSource(
  supplied: SuppliedArtifact,
): (Source<ArtifactDeclaration> & { readonly isOptional: boolean }) | undefined {
  const { task, spec, at } = supplied;
  const { kind } = spec;
  if (kind?.$case === "componentInputArtifact") {
    const declaration = inputArtifact(task.parent, kind.value);
    if (declaration === undefined) return undefined;
    const place = pointer(`${task.parent.path}/inputDefinitions/artifacts`, kind.value);
    const { isOptional } = declaration;
    return { declaration, declared: declared(place), at: `${at}/componentInputArtifact`, isOptional };
  }
  if (kind?.$case !== "taskOutputArtifact") return undefined;
  const producer = task.parent.tasks?.get(kind.value.producerTask)?.component;
  const key = kind.value.outputArtifactKey;
  const declaration = producer && outputArtifact(producer, key);
  if (producer === undefined || declaration === undefined) return undefined;
  const place = pointer(`${producer.path}/outputDefinitions/artifacts`, key);
  const from = `${at}/taskOutputArtifact/outputArtifactKey`;
  return { declaration, declared: declared(place), at: from, isOptional: false };
}

const declared = (at: string): RelatedFinding => ({ at, part: "key", message: "declared here" });
