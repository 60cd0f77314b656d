import {
  type ArtifactInput,
  inputArtifact,
  inputParameter,
  outputArtifact,
  outputParameter,
  type ParameterInput,
  type PipelineGraph,
  pointer,
  type TaskNode,
} from "@wye/pipeline-spec";
import type { ArtifactDeclaration } from "./artifact-type.js";
import { kindOf, type ParameterKind } from "./parameter-kind.js";
import type { RelatedFinding } from "./rule.js";

/** All input parameters that tasks supply. */
export function suppliedParameters({ tasks }: PipelineGraph): readonly ParameterInput[] {
  return tasks.flatMap(({ inputs }) => inputs.filter((input) => input.kind === "parameter"));
}

/** All input artifacts that tasks supply. */
export function suppliedArtifacts({ tasks }: PipelineGraph): readonly ArtifactInput[] {
  return tasks.flatMap(({ inputs }) => inputs.filter((input) => input.kind === "artifact"));
}

/** Where a value comes from, as far as it is declared. */
export interface Source<Declaration> {
  readonly declaration: Declaration;
  /** The place of the declaration, for people. */
  readonly declared: RelatedFinding;
  /** The place inside the input that names the source. */
  readonly at: string;
  /** True when there may be no value. */
  readonly isOptional: boolean;
}

/** The declared type of the source of an input parameter; undefined for constants and unknown sources. */
export function parameterSource({ task, source }: ParameterInput): Source<ParameterKind> | undefined {
  if (source?.kind === "input") {
    const declaration = inputParameter(task.parent, source.name);
    const found = kindOf(declaration);
    if (declaration === undefined || found === undefined) return undefined;
    const { defaultValue } = declaration;
    // A default of null is no value either, and makes the input optional as any default does.
    const isOptional = defaultValue === null || (declaration.isOptional && defaultValue === undefined);
    const place = pointer(`${task.parent.path}/inputDefinitions/parameters`, source.name);
    return { declaration: found, declared: declared(place), at: source.at, isOptional };
  }
  const producer = source?.kind === "output" ? source.task?.component : undefined;
  if (source?.kind !== "output" || producer === undefined) return undefined;
  const own = kindOf(outputParameter(producer, source.key));
  if (own === undefined) return undefined;
  // Compilers up to 2.3.0 declare the type of one iteration; what comes out of the loop is the list of all.
  const found = isLoop(source.task) ? "LIST" : own;
  const place = pointer(`${producer.path}/outputDefinitions/parameters`, source.key);
  return { declaration: found, declared: declared(place), at: source.keyAt, isOptional: false };
}

/** The declaration of the source of an input artifact. */
export function artifactSource({ task, source }: ArtifactInput): Source<ArtifactDeclaration> | undefined {
  if (source?.kind === "input") {
    const declaration = inputArtifact(task.parent, source.name);
    if (declaration === undefined) return undefined;
    const place = pointer(`${task.parent.path}/inputDefinitions/artifacts`, source.name);
    const { isOptional } = declaration;
    return { declaration, declared: declared(place), at: source.at, isOptional };
  }
  const producer = source?.kind === "output" ? source.task?.component : undefined;
  if (source?.kind !== "output" || producer === undefined) return undefined;
  const own = outputArtifact(producer, source.key);
  if (own === undefined) return undefined;
  const declaration = isLoop(source.task) ? { ...own, isArtifactList: true } : own;
  const place = pointer(`${producer.path}/outputDefinitions/artifacts`, source.key);
  return { declaration, declared: declared(place), at: source.keyAt, isOptional: false };
}

/** True for a task that gives lists. An iterator on a container is a mistake of its own, and no reason to doubt its outputs. */
const isLoop = (task: TaskNode | undefined): boolean =>
  task?.spec.iterator !== undefined && task.component?.tasks !== undefined;

const declared = (at: string): RelatedFinding => ({ at, part: "key", message: "declared here" });
