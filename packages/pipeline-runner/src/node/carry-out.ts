import { existsSync } from "node:fs";
import {
  type Artifacts,
  convertParameter,
  type RunFacts,
  resolveContainer,
  type TaskOutputs,
} from "@wye/pipeline-resolver";
import { type ArtifactList, describeValue, isObject, type RuntimeArtifact } from "@wye/pipeline-spec";
import type { ReadyContainer, ReadyImporter, ReadyTask } from "../ready-task.js";
import type { TaskReport } from "../task-report.js";
import { ownContainer } from "../with-task-config.js";
import type { ArtifactAccess } from "./artifact-access.js";
import type { ArtifactResolver } from "./artifact-resolver.js";
import { collectResults } from "./collect-results.js";
import type { Executor, WorkResult } from "./executor.js";
import { foreignFile, localPath } from "./local-path.js";
import { LogFile } from "./log-file.js";
import type { RunFolder } from "./run-folder.js";
import { wholePaths } from "./whole-paths.js";
import { copyToWorkspace } from "./workspace-copy.js";

/** What the tasks of a run are carried out with. */
export interface Tools {
  readonly executor: Executor;
  readonly folder: RunFolder;
  readonly artifacts: ArtifactAccess;
  /** What relative paths of importers and resolvers mean. */
  readonly hostFolder: string;
  readonly facts: RunFacts;
  readonly pipelineName: string;
  /** Looks for what resolvers ask for; without it they fail. */
  readonly resolve: ArtifactResolver | undefined;
  readonly onLog: (task: string, chunk: Uint8Array) => void;
  readonly warn: (message: string) => void;
}

/** Carries out one attempt of a task, and tells how it ended. Never rejects. */
export async function carryOut(task: ReadyTask, tools: Tools, signal: AbortSignal): Promise<TaskReport> {
  try {
    switch (task.kind) {
      case "container":
        return await runContainer(task, tools, signal);
      case "importer":
        return await importArtifact(task, tools, signal);
      case "resolver":
        if (tools.resolve === undefined) return failed("nothing looks for artifacts: give `resolve`", false);
        return {
          state: "SUCCEEDED",
          outputs: withWholePaths(await tools.resolve(task, tools.pipelineName), tools.hostFolder),
        };
      case "custom-job":
        return failed("custom jobs run on the hosted platform only", false);
    }
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

async function runContainer(task: ReadyContainer, tools: Tools, signal: AbortSignal): Promise<TaskReport> {
  const { folder, artifacts, executor } = tools;
  const place = folder.of(task);
  const inputs = {
    ...task.inputs,
    artifacts: await artifacts.bringAll(task.inputs.artifacts, { signal, warn: tools.warn }),
  };
  const executorInput = await folder.prepare({ ...task, inputs }, place);
  remarkMetadata(task.id, executorInput.outputs?.artifacts ?? {}, tools);
  const facts = { ...tools.facts, pipeline_task_name: task.name, pipeline_task_uuid: task.id };
  const container = ownContainer(task.container, task.definition);
  const filled = resolveContainer(container, { executorInput, facts, pathOf: artifacts.pathOf });
  if (!filled.ok) {
    const reasons = filled.problems.map(({ path, message }) => `${path}: ${message}`).join("; ");
    return failed(`the container cannot be filled in: ${reasons}`, false);
  }
  const { image, command, args, env } = filled.container;
  const environment = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  // What executors are given is theirs, to be sorted and changed: the values of the run stay.
  const work = structuredClone({
    task,
    image,
    command,
    args,
    environment,
    executorInput,
    folder: place,
    shared: folder.workspace,
  });
  // The run may have been cancelled since it began: nothing starts any more.
  if (signal.aborted) return failed("it was cancelled");
  const log = new LogFile(folder.log(task), {
    onChunk: (chunk) => tools.onLog(task.id, chunk),
    onProblem: tools.warn,
  });
  const result = await attempt(() => executor.execute(work, { signal, log: log.write, warn: tools.warn }));
  log.close();
  if (!result.ok) {
    const { message, code, retry = true } = result;
    return { state: "FAILED", error: { message, ...(code === undefined ? {} : { code }) }, retry };
  }
  const seen = result.isConfined ? [place, folder.workspace] : undefined;
  const collected = collectResults(task, executorInput, { folder: place, given: result.outputs, seen });
  if (!collected.ok) return failed(collected.message);
  for (const warning of collected.warnings) tools.warn(`${task.id}: ${warning}`);
  return { state: "SUCCEEDED", outputs: collected.outputs };
}

/** Tells of integers in the metadata that the specification gives artifacts, whose digits numbers do not keep. */
function remarkMetadata(task: string, lists: Artifacts, { warn }: Pick<Tools, "warn">): void {
  for (const [name, { artifacts }] of Object.entries(lists)) {
    const seen = convertParameter(
      artifacts.map(({ metadata }) => metadata ?? {}),
      "LIST",
    );
    if (seen.ok && seen.warning !== undefined)
      warn(`${task}: the metadata of its artifact ${name}: ${seen.warning}`);
  }
}

/** What an executor answers, whatever it is that somebody wrote. */
async function attempt(execute: () => Promise<WorkResult> | WorkResult): Promise<WorkResult> {
  try {
    const result: unknown = await execute();
    if (!isObject(result) || typeof result.ok !== "boolean") {
      return { ok: false, message: `the executor has returned ${describeValue(result)}, not { ok: … }` };
    }
    if (!result.ok && typeof result.message !== "string")
      return { ok: false, message: "the executor gives no reason" };
    // What it says has been looked at; outputs are looked at where they are collected.
    return result as WorkResult;
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Artifacts on this machine have to be there, and are read in place; what is elsewhere is fetched when a task needs it. What is meant for
 * the workspace is fetched at once, and copied there.
 */
async function importArtifact(task: ReadyImporter, tools: Tools, signal: AbortSignal): Promise<TaskReport> {
  const { artifacts: access, folder, hostFolder, warn } = tools;
  const outputs = withWholePaths(task.outputs, hostFolder);
  remarkMetadata(task.id, outputs.artifacts, { warn });
  const imported: [string, ArtifactList][] = [];
  for (const [name, { artifacts }] of Object.entries(outputs.artifacts)) {
    const list: RuntimeArtifact[] = [];
    for (const artifact of artifacts) {
      const path = localPath(artifact.uri);
      const foreign = foreignFile(artifact.uri);
      if (foreign !== undefined) return failed(foreign, false);
      if (path !== undefined && !existsSync(path)) return failed(`there is nothing to import at ${path}`);
      if (task.downloadToWorkspace) await access.bring(artifact, { signal, warn });
      const source = task.downloadToWorkspace ? access.pathOf(artifact) : undefined;
      const context = { task: task.id, workspace: folder.workspace, signal };
      list.push(source === undefined ? artifact : await copyToWorkspace(artifact, source, context));
    }
    imported.push([name, { artifacts: list }]);
  }
  return { state: "SUCCEEDED", outputs: { ...outputs, artifacts: Object.fromEntries(imported) } };
}

/** Outputs that were named in the folder of the host; rubbish is refused where they are reported. */
const withWholePaths = (outputs: TaskOutputs, hostFolder: string): TaskOutputs =>
  isObject(outputs) && isObject(outputs.artifacts)
    ? { ...outputs, artifacts: wholePaths(outputs.artifacts, hostFolder) }
    : outputs;

function failed(message: string, retry = true): TaskReport {
  return { state: "FAILED", error: { message }, retry };
}
