import type { PipelineClient, Run } from "@wye/pipeline-client";
import { drawRun, type GraphNote, graphNotes, trackTasks } from "@wye/pipeline-runner/report";
import { parsePipeline } from "@wye/pipeline-spec";

/** What a page is told of a run, one after the other. */
export type Told =
  /** The pipeline as SVG; absent when there is nothing to draw. */
  | { readonly kind: "drawing"; readonly svg: string }
  | {
      readonly kind: "picture";
      readonly name: string;
      readonly link: string;
      /** As the server calls it. */
      readonly state: string;
      readonly isFinal: boolean;
      readonly notes: readonly (readonly [box: string, note: GraphNote])[];
      /** What has happened since the last picture. */
      readonly happened: readonly string[];
    }
  /** Why there is nothing more to tell. */
  | { readonly kind: "problem"; readonly message: string };

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
  const tracked = trackTasks();
  const follow = { signal, minPollMs: pollMs, maxPollMs: pollMs * 10, maxOutageMs };
  let isFirst = true;
  for await (const update of client.runs.follow(run, follow)) {
    if (isFirst) yield* drawingOf(client, update.run, signal);
    isFirst = false;
    for (const event of update.events) tracked.take(event);
    yield {
      kind: "picture",
      name: update.run.displayName ?? update.run.runId,
      link: client.links.run(update.run.runId),
      state: update.state,
      isFinal: update.isFinal,
      notes: [...graphNotes(tracked.tasks())],
      happened: update.events.map(
        ({ task, reason }) => `${decodeURIComponent(task) || "the run"}: ${reason}`,
      ),
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
