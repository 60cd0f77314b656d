import type { FakeStore } from "./fake-store.js";
import { invalid, unknown } from "./refusal.js";

/** Deletes a pipeline; one with versions only when they are to go along. */
export function deletePipeline({ pipelines, versions }: FakeStore, id: string, isCascade: boolean): unknown {
  const wrapping = `Failed to delete pipeline ${id}. Check error stack`;
  if (!pipelines.has(id)) {
    throw unknown("Pipeline", id, `${wrapping}: Failed to delete pipeline with id ${id} as it was not found`);
  }
  const own = [...versions.values()].filter((row) => row.pipelineId === id);
  const [first] = own;
  if (first !== undefined && !isCascade) {
    const hint = "Set cascade=true to delete all versions";
    throw invalid(
      wrapping,
      `Failed to delete pipeline with id ${id} as it has existing pipeline versions (e.g. ${first.id}). ${hint}`,
    );
  }
  for (const version of own) versions.delete(version.id);
  pipelines.delete(id);
  return {};
}

export function deleteVersion({ versions }: FakeStore, pipelineId: string, id: string): unknown {
  if (versions.delete(id)) return {};
  const wrapping = `Failed to delete a pipeline version id ${id} under pipeline id ${pipelineId}. Check error stack`;
  throw unknown(
    "PipelineVersion",
    id,
    `${wrapping}: Failed to delete pipeline version with id ${id} as it was not found`,
  );
}
