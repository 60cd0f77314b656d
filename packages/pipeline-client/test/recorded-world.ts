import { isObject } from "@wye/pipeline-spec";
import { createFakePipelineServer, type FakePipelineServer } from "../src/testing/index.js";
import { type Exchange, type Recording, recordings } from "./exchanges.js";

type Json = Readonly<Record<string, unknown>>;

/** The file that recordings mean by `<hello_pipeline.yaml>`. */
export const helloPipeline: string =
  recordings
    .find(({ id }) => id === "kfp-client")
    ?.exchanges.flatMap(({ request }) => request.form ?? [])
    .find(({ headers }) => headers["content-disposition"]?.includes('"hello_pipeline.yaml"'))?.text ?? "";

/** Every object of the answers of a recording. */
function* objects(value: unknown): Generator<Json> {
  if (Array.isArray(value)) for (const one of value) yield* objects(one);
  if (!isObject(value)) return;
  yield value;
  for (const one of Object.values(value)) yield* objects(one);
}

const seconds = (time: unknown): number =>
  typeof time === "string" ? Math.max(0, Date.parse(time) / 1000) : 0;
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A fake server, and the clock and the ids that it is given. */
export interface World {
  readonly fake: FakePipelineServer;
  /** What the server gives out from now on. */
  prepare(exchange: Exchange): void;
}

/** A fake server in the state in which the recording begins: what its answers show and none of its requests has made. */
export function worldOf(recording: Recording): World {
  const { exchanges } = recording;
  // What one of these shows is there in the others as well.
  const listed = ["filters", "sorting", "paging"];
  const others = listed.includes(recording.id)
    ? recordings.filter(({ id }) => listed.includes(id))
    : [recording];
  const all = [...objects(others.map((one) => one.exchanges.map(({ response }) => response.body)))];
  const made = new Set(
    exchanges
      .filter(({ request }) => request.method === "POST")
      .flatMap(({ response }) => idsOf(response.body)),
  );
  const isMultiUser = recording.id.startsWith("multi-user");
  const defaultExperiment =
    all.find(
      ({ display_name, experiment_id }) => display_name === "Default" && experiment_id !== undefined,
    ) ??
    all.find(({ run_id, experiment_id }) => run_id !== undefined && experiment_id !== undefined) ??
    all.find(({ recurring_run_id }) => recurring_run_id !== undefined);
  let now = seconds(defaultExperiment?.created_at) * 1000;
  let ids = [text(defaultExperiment?.experiment_id)];
  let spare = 0;
  const fake = createFakePipelineServer({
    now: () => now,
    newId: () => ids.shift() || `spare-${++spare}`,
    plan: () => [],
    multiUser: isMultiUser,
    review: () => (recording.id === "multi-user-denied" ? "this is not allowed" : undefined),
    fetchFile: async () => new TextEncoder().encode(helloPipeline),
  });
  seed(fake, all, made);
  return {
    fake,
    prepare({ request, response }) {
      const created = [...objects(response.body)].map(({ created_at, state_history }) => {
        const last = Array.isArray(state_history) ? state_history.at(-1) : undefined;
        return request.method === "GET" ? 0 : Math.max(seconds(created_at), seconds(last?.update_time));
      });
      now = Math.max(now, ...created.map((one) => one * 1000));
      ids = newIds(response.body, all);
    },
  };
}

function idsOf(body: unknown): string[] {
  if (!isObject(body)) return [];
  return [
    body.pipeline_version_id,
    body.run_id,
    body.recurring_run_id,
    body.pipeline_version_id === undefined ? body.pipeline_id : "",
    body.run_id === undefined && body.recurring_run_id === undefined ? body.experiment_id : "",
  ]
    .map(text)
    .filter((id) => id !== "");
}

/** What an answer calls what was made; of the version that comes with a pipeline only later answers tell. */
function newIds(body: unknown, all: readonly Json[]): string[] {
  if (!isObject(body)) return [];
  const [id = ""] = idsOf(body);
  if (body.pipeline_id === undefined || body.pipeline_version_id !== undefined) return [id];
  const versions = all.filter(
    (one) => one.pipeline_id === body.pipeline_id && one.pipeline_version_id !== undefined,
  );
  const version = versions.find(({ name }) => name === body.name) ?? versions[0];
  return [id, text(version?.pipeline_version_id)];
}

function seed({ store }: FakePipelineServer, all: readonly Json[], made: ReadonlySet<string>): void {
  const spec = JSON.parse(JSON.stringify(helloSpec));
  const shown = new Set<string>();
  const addPipeline = (id: string, one: Json = {}): void => {
    if (id === "" || made.has(id) || store.pipelines.has(id)) return;
    const name = text(one.name) || "seeded";
    const row = { id, name, displayName: text(one.display_name) || name, description: text(one.description) };
    store.pipelines.set(id, { ...row, createdAt: seconds(one.created_at), namespace: text(one.namespace) });
  };
  const addVersion = (pipelineId: string, id: string, one: Json = {}): void => {
    if (id === "" || made.has(id) || store.versions.has(id) || made.has(pipelineId)) return;
    const name = text(one.name) || "seeded";
    const row = {
      id,
      pipelineId,
      name,
      displayName: text(one.display_name) || name,
      description: text(one.description),
    };
    store.versions.set(id, {
      ...row,
      createdAt: seconds(one.created_at),
      codeSourceUrl: "",
      packageUrl: "",
      spec,
    });
  };
  for (const one of all) {
    const [pipelineId, versionId] = [text(one.pipeline_id), text(one.pipeline_version_id)];
    if (one.created_at !== undefined && pipelineId !== "" && versionId === "") addPipeline(pipelineId, one);
    if (one.created_at !== undefined && versionId !== "") addVersion(pipelineId, versionId, one);
  }
  for (const one of all) {
    addPipeline(text(one.pipeline_id));
    addVersion(text(one.pipeline_id), text(one.pipeline_version_id));
    if (one.run_id !== undefined && one.created_at !== undefined) addRun(one, made, store);
    const experimentId = text(one.experiment_id);
    const isExperiment =
      one.run_id === undefined && one.recurring_run_id === undefined && one.created_at !== undefined;
    if (experimentId === "" || made.has(experimentId)) continue;
    const known = store.experiments.get(experimentId);
    if (known !== undefined && (shown.has(experimentId) || !isExperiment)) continue;
    if (isExperiment) shown.add(experimentId);
    store.experiments.set(experimentId, {
      ...{ id: experimentId, displayName: isExperiment ? text(one.display_name) : experimentId },
      ...{
        description: isExperiment ? text(one.description) : "",
        namespace: isExperiment ? text(one.namespace) : "",
      },
      ...{ createdAt: isExperiment ? seconds(one.created_at) : 0, storageState: "AVAILABLE" },
      lastRunCreatedAt: isExperiment ? seconds(one.last_run_created_at) : 0,
    });
  }
}

function addRun(one: Json, made: ReadonlySet<string>, store: FakePipelineServer["store"]): void {
  const id = text(one.run_id);
  if (made.has(id) || store.runs.has(id)) return;
  const reference = isObject(one.pipeline_version_reference) ? one.pipeline_version_reference : {};
  const config = isObject(one.runtime_config) ? one.runtime_config : {};
  const history = Array.isArray(one.state_history) ? one.state_history : [];
  store.runs.set(id, {
    ...{ id, displayName: text(one.display_name), description: text(one.description) },
    ...{ experimentId: text(one.experiment_id), namespace: "", storageState: text(one.storage_state) },
    ...{ pipelineId: text(reference.pipeline_id), versionId: text(reference.pipeline_version_id) },
    spec: isObject(one.pipeline_spec) ? one.pipeline_spec : undefined,
    parameters: isObject(config.parameters) ? config.parameters : undefined,
    ...{ pipelineRoot: "", serviceAccount: text(one.service_account), createdAt: seconds(one.created_at) },
    ...{
      scheduledAt: seconds(one.scheduled_at),
      finishedAt: 0,
      state: text(one.state),
      phase: "",
      message: "",
    },
    ...{ recurringRunId: "", tasks: [], plan: [] },
    history: history.map((change: Json) => ({ at: seconds(change.update_time), state: text(change.state) })),
  });
}

const helloSpec = {
  components: {
    "comp-greet": {
      executorLabel: "exec-greet",
      inputDefinitions: { parameters: { name: { parameterType: "STRING" } } },
    },
  },
  deploymentSpec: {
    executors: {
      "exec-greet": {
        container: {
          args: ["{{$.inputs.parameters['name']}}"],
          command: ["echo", "hello"],
          image: "alpine:3.20",
        },
      },
    },
  },
  pipelineInfo: { name: "hello" },
  root: {
    dag: {
      tasks: {
        greet: {
          cachingOptions: { enableCache: true },
          componentRef: { name: "comp-greet" },
          inputs: { parameters: { name: { componentInputParameter: "who" } } },
          taskInfo: { name: "greet" },
        },
      },
    },
    inputDefinitions: {
      parameters: { who: { defaultValue: "world", isOptional: true, parameterType: "STRING" } },
    },
  },
  schemaVersion: "2.1.0",
  sdkVersion: "kfp-2.16.1",
};
