import {
  type ComponentNode,
  type ImporterSpec,
  inputParameter,
  type PipelineGraph,
  plainValue,
  pointer,
  type TaskNode,
} from "@wye/pipeline-spec";
import { schemaTitle } from "./artifact-type.js";

/** A value in the file that an importer takes for its URI. */
export interface ImporterUri {
  readonly at: string;
  readonly value: unknown;
  readonly importer: ImporterSpec;
  /** The place in the importer that names the input through which it comes, when it stands elsewhere. */
  readonly takenAt?: string;
}

/**
 * Every URI that an importer is sure to be given: its own constant, and what tasks supply through any number of levels. What several
 * importers are given is listed for one of them.
 */
export function importerUris({ executors }: PipelineGraph): readonly ImporterUri[] {
  const found: ImporterUri[] = [];
  const supplied = new SuppliedConstants();
  for (const { spec, path, components } of executors) {
    if (spec.spec?.$case !== "importer") continue;
    const { value: importer } = spec.spec;
    const uri = importer.artifactUri?.value;
    if (uri === undefined) continue;
    const at = `${path}/importer/artifactUri/${uri.$case}`;
    if (uri.$case === "runtimeParameter" && uri.value !== "") {
      const kind = takesRegistries(importer);
      const given = components.flatMap((component) => [...supplied.of(component, uri.value, kind)]);
      found.push(...given.map((one) => ({ ...one, importer, takenAt: at })));
    } else {
      found.push({ at, value: uri.$case === "constantValue" ? plainValue(uri.value) : uri.value, importer });
    }
  }
  return found;
}

/** True when an importer may read from an OCI registry: models may, and types of which nothing is known. */
export function takesRegistries({ typeSchema }: ImporterSpec): boolean {
  return (schemaTitle(typeSchema) ?? "system.Model") === "system.Model";
}

type Given = Pick<ImporterUri, "at" | "value">;

/** Follows inputs upwards, each once for all importers, so that the time is linear in the specification. */
class SuppliedConstants {
  private readonly seen = new Set<string>();

  /** The constants that reach an input of a component. A default of the pipeline is not among them: a run may give another. */
  *of(component: ComponentNode, name: string, kind: boolean): Generator<Given> {
    const open = [{ component, name }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const key = JSON.stringify([next.component.path, next.name, kind]);
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      for (const task of next.component.uses) {
        const input = task.input("parameter", next.name);
        if (input === undefined) yield* fallback(task, next.component, next.name);
        // A selector gives another value than that of its source.
        if (input?.source === undefined || input.spec.parameterExpressionSelector !== "") continue;
        if (input.source.kind === "constant") yield { at: input.source.at, value: input.source.value };
        if (input.source.kind === "input") open.push({ component: task.parent, name: input.source.name });
      }
    }
  }
}

/** The default that a DAG fills in. An importer looks at nothing but what its own task says. */
function* fallback({ spec }: TaskNode, component: ComponentNode, name: string): Generator<Given> {
  const value = inputParameter(component, name)?.defaultValue;
  if (component.tasks === undefined || value === undefined || spec.iterator?.value.itemInput === name) return;
  yield { at: pointer(component.path, "inputDefinitions", "parameters", name, "defaultValue"), value };
}
