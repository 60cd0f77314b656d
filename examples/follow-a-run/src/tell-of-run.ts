import type { PipelineClient, Run } from "@wye/pipeline-client";
import { drawRun } from "@wye/pipeline-runner/report";
import { parsePipeline } from "@wye/pipeline-spec";
import { type Told, trackHappenings } from "./told.js";

/** How a run is followed. */
export interface TellOptions {
  readonly signal: AbortSignal;
  readonly pollMs: number;
}

/** A server that is away for longer is given up. */
const maxOutageMs = 20_000;

/** Follows a run to its end: first its graph, then how it is whenever that has changed. */
export async function* tellOfRun(
  client: PipelineClient,
  run: string,
  { signal, pollMs }: TellOptions,
): AsyncGenerator<Told> {
  const happeningOf = trackHappenings();
  const follow = { signal, minPollMs: pollMs, maxPollMs: pollMs * 10, maxOutageMs };
  let isFirst = true;
  for await (const update of client.runs.follow(run, follow)) {
    if (isFirst) yield* drawingOf(client, update.run, signal);
    isFirst = false;
    yield {
      kind: "picture",
      name: update.run.displayName ?? update.run.runId,
      link: client.links.run(update.run.runId),
      state: update.state,
      isFinal: update.isFinal,
      ...happeningOf(update.events),
    };
  }
}

async function* drawingOf(client: PipelineClient, run: Run, signal: AbortSignal): AsyncGenerator<Told> {
  const { pipelineId, pipelineVersionId } = run.pipelineVersionReference ?? {};
  const spec =
    run.pipelineSpec ??
    (pipelineId && pipelineVersionId
      ? (await client.versions.get({ id: pipelineId }, { id: pipelineVersionId }, { signal })).pipelineSpec
      : undefined);
  if (spec === undefined) return;
  // A newer server may know fields that this program does not.
  const result = parsePipeline(JSON.stringify(spec), { ignoreUnknownFields: true, deprecations: false });
  const svg = result.ok ? drawRun(result.pipeline, []) : undefined;
  if (svg !== undefined) yield { kind: "drawing", svg };
}
