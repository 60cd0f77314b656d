import { readFileSync } from "node:fs";
import { createPipelineClient, type JsonObject, PipelineClientError, RunError } from "@wye/pipeline-client";
import { discoverConnection } from "@wye/pipeline-client/node";

const [file, ...assignments] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: submit-a-pipeline FILE [PARAMETER=JSON …]");
  process.exitCode = 2;
} else {
  try {
    await submit(file, readParameters(assignments));
  } catch (error) {
    // Everything else is a mistake of this program.
    if (!(error instanceof PipelineClientError || error instanceof RunError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

async function submit(path: string, parameters: JsonObject): Promise<void> {
  const { KFP_TOKEN: token, KFP_NAMESPACE: namespace, KFP_EXPERIMENT, COMMIT } = process.env;
  const connection = await discoverConnection({ env: process.env, ...(namespace && { namespace }) });
  const client = createPipelineClient({ ...connection, ...(token && { auth: { token } }) });

  const { pipeline, version, isNew } = await client.pipelines.upload(readFileSync(path), {
    ifExists: "version",
    ...(COMMIT && { versionName: COMMIT }),
  });
  console.log(`${isNew ? "new pipeline" : "pipeline"} ${pipeline.name}, version ${version.name}`);

  const experiment = KFP_EXPERIMENT && (await client.experiments.ensure(KFP_EXPERIMENT)).experimentId;
  const { runId } = await client.runs.create({
    pipeline: pipeline.pipelineId,
    version: version.pipelineVersionId,
    parameters,
    ...(experiment && { experiment }),
  });
  console.log(client.links.run(runId));

  // A job that is cancelled leaves nothing running.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void client.runs.terminate(runId));
  await client.runs.wait(runId, {
    onUpdate: ({ events }) => {
      for (const { task, state } of events) console.log(`${decodeURIComponent(task) || "run"}: ${state}`);
    },
  });
}

function readParameters(texts: readonly string[]): JsonObject {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      return [text.slice(0, at), JSON.parse(text.slice(at + 1))];
    }),
  );
}
