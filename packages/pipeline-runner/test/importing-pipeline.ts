import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";

const artifact = { artifactType: { schemaTitle: "system.Dataset" } };

interface ImportSettings {
  readonly downloadToWorkspace?: boolean;
  readonly image?: string;
  /** Whether the result of an earlier run may be taken for what the line does. */
  readonly enableCache?: boolean;
  /** How often the import may be tried again. */
  readonly retries?: number;
}

/** Imports what is behind a URI, for a task that runs a line with the path as `$0`. */
export function importing(
  uri: string,
  line: string,
  { downloadToWorkspace = true, image = "alpine", enableCache = false, retries = 0 }: ImportSettings = {},
): Pipeline {
  const text = JSON.stringify({
    schemaVersion: "2.1.0",
    pipelineInfo: { name: "imports" },
    root: {
      dag: {
        tasks: {
          bring: {
            taskInfo: { name: "bring" },
            componentRef: { name: "comp-bring" },
            retryPolicy: { maxRetryCount: retries },
          },
          change: {
            taskInfo: { name: "change" },
            componentRef: { name: "comp-change" },
            cachingOptions: { enableCache },
            dependentTasks: ["bring"],
            inputs: {
              artifacts: {
                data: { taskOutputArtifact: { producerTask: "bring", outputArtifactKey: "artifact" } },
              },
            },
          },
        },
      },
    },
    components: {
      "comp-bring": { executorLabel: "bring", outputDefinitions: { artifacts: { artifact } } },
      "comp-change": { executorLabel: "change", inputDefinitions: { artifacts: { data: artifact } } },
    },
    deploymentSpec: {
      executors: {
        bring: {
          importer: {
            artifactUri: { constant: uri },
            typeSchema: { schemaTitle: "system.Dataset" },
            metadata: { own: "words" },
            downloadToWorkspace,
          },
        },
        change: {
          container: {
            image,
            command: ["sh", "-c", line, "{{$.inputs.artifacts['data'].path}}"],
          },
        },
      },
    },
  });
  const parsed = parsePipeline(text);
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.pipeline;
}
