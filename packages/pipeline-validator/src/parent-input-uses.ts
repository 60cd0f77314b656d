import { ownEntry } from "./own-entry.js";
import type { ComponentNode, PipelineIndex } from "./pipeline-index.js";
import { pointer } from "./pointer.js";

/** A place that names an input of the enclosing component. */
export interface ParentInputUse {
  readonly kind: "parameter" | "artifact";
  readonly name: string;
  readonly at: string;
  readonly parent: ComponentNode;
}

/** Every input of a task that comes from an input of the enclosing component. */
export function parentInputUses({ tasks }: PipelineIndex): readonly ParentInputUse[] {
  const uses: ParentInputUse[] = [];
  for (const { spec, path, parent } of tasks) {
    const { parameters = {}, artifacts = {} } = spec.inputs ?? {};
    for (const name of Object.keys(parameters)) {
      const kind = ownEntry(parameters, name)?.kind;
      const at = () => pointer(`${path}/inputs/parameters`, name);
      if (kind?.$case === "componentInputParameter") {
        uses.push({ kind: "parameter", name: kind.value, at: `${at()}/componentInputParameter`, parent });
      } else if (kind?.$case === "runtimeValue" && kind.value.value?.$case === "runtimeParameter") {
        const source = kind.value.value.value;
        uses.push({ kind: "parameter", name: source, at: `${at()}/runtimeValue/runtimeParameter`, parent });
      }
    }
    for (const name of Object.keys(artifacts)) {
      const kind = ownEntry(artifacts, name)?.kind;
      if (kind?.$case !== "componentInputArtifact") continue;
      const at = `${pointer(`${path}/inputs/artifacts`, name)}/componentInputArtifact`;
      uses.push({ kind: "artifact", name: kind.value, at, parent });
    }
  }
  return uses;
}
