import type { FakeStore } from "./fake-store.js";
import { type Refusal, refusal } from "./refusal.js";
import type { PipelineRow, VersionRow } from "./rows.js";

/** Refuses what has more bytes than there is room for. */
export function withinLength(
  what: string,
  value: string,
  most: number,
  fail: (reason: string) => Refusal,
): void {
  if (new TextEncoder().encode(value).length > most) throw fail(`${what} length cannot exceed ${most}`);
}

/** Adds a pipeline, whose name is unique in its namespace. */
export function insertPipeline(store: FakeStore, row: Omit<PipelineRow, "id" | "createdAt">): PipelineRow {
  const { name, namespace } = row;
  if ([...store.pipelines.values()].some((one) => one.name === name && one.namespace === namespace)) {
    const reason = `Failed to create a new pipeline. The name ${name} already exist. Please specify a new name`;
    throw refusal(
      6,
      `Failed to create a pipeline due to server error: Failed to create a pipeline in PipelineStore: Already exist error: ${reason}`,
      reason,
    );
  }
  const pipeline: PipelineRow = { ...row, id: store.newId(), createdAt: store.seconds() };
  store.pipelines.set(pipeline.id, pipeline);
  return pipeline;
}

/** Adds a version, whose name is unique in its pipeline. */
export function insertVersion(store: FakeStore, row: Omit<VersionRow, "id" | "createdAt">): VersionRow {
  const { name, pipelineId } = row;
  if ([...store.versions.values()].some((one) => one.name === name && one.pipelineId === pipelineId)) {
    const reason = `Failed to create a new pipeline version. The name ${name} already exist. Please specify a new name`;
    throw refusal(6, `Failed to create a pipeline version: Already exist error: ${reason}`, reason);
  }
  const version: VersionRow = { ...row, id: store.newId(), createdAt: store.seconds() };
  store.versions.set(version.id, version);
  return version;
}

/** The version of a pipeline that was made last. */
export function newestVersion(store: FakeStore, pipelineId: string): VersionRow | undefined {
  return [...store.versions.values()].filter((row) => row.pipelineId === pipelineId).at(-1);
}
