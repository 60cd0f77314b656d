import { type Pipeline, parsePipeline, writeJson } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type ArgoResult, type ArgoRun, toArgoWorkflow, toSubmittedWorkflow } from "../src/index.js";

const parsed = parsePipeline(`
pipelineInfo: {name: hello}
root:
  inputDefinitions: {parameters: {text: {parameterType: STRING, isOptional: true, defaultValue: "[[RunUUID]]"}}}
  dag: {tasks: {greet: {componentRef: {name: comp-greet}}}}
components: {comp-greet: {executorLabel: exec-greet}}
deploymentSpec: {executors: {exec-greet: {container: {image: python}}}}
`);
const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable();
const run: ArgoRun = { id: "$&-id", displayName: "My run", createdAt: new Date("2026-03-07T15:04:05Z") };

/** The arguments that the root driver gets. */
function arguments_(parameters?: ArgoRun["parameters"]): unknown {
  const given = parameters === undefined ? run : { ...run, parameters };
  return configIn(toSubmittedWorkflow(pipeline, given)).parameterValues;
}

/** The configuration that the root driver gets. */
function configIn(result: ArgoResult): Record<string, unknown> {
  if (!result.ok) return expect.unreachable();
  const entrypoint = result.workflow.spec.templates?.find(({ name }) => name === "entrypoint");
  const { value = "" } =
    entrypoint?.dag?.tasks[0]?.arguments.parameters.find(({ name }) => name === "runtime-config") ?? {};
  return JSON.parse(value);
}

const macros: readonly (readonly [text: string, expanded: string])[] = [
  ["[[RunUUID]] [[RunUUID]]", "$&-id $&-id"],
  ["[[CurrentTime]]", "20260307150405"],
  ["[[CurrentTime.2006-01-02T15:04:05Z07:00]]", "2026-03-07T15:04:05Z"],
  ["[[CurrentTime.Mon, _2 January 06, 3:04 pm MST -0700 002]]", "Sat,  7 March 26, 3:04 pm UTC +0000 066"],
  ["[[CurrentTime.Monday Jan 1/2 4:5 03 PM Mondays]]", "Saturday Mar 3/7 4:5 03 PM Saturdays"],
  ["{{$.currentTime.strftime('%Y-%m-%d %H:%M:%S %% %Q')}}", "2026-03-07 15:04:05 % %Q"],
  [
    "{{$.currentTime.strftime('%A %a %B %b %h %j %I %p %e %k %l %u %w %y %C')}}",
    "Saturday Sat March Mar Mar 066 03 PM  7 15  3 6 6 26 20",
  ],
  [
    "{{$.currentTime.strftime('%D|%F|%R|%r|%T|%Z|%z|%n|%t')}}",
    "03/07/26|2026-03-07|15:04|03:04:05 PM|15:04:05|UTC|+0000|\n|\t",
  ],
  ["[[ScheduledTime]] [[Index]]", "[[ScheduledTime]] [[Index]]"],
];

describe("what an argument asks for", () => {
  for (const [text, expanded] of macros) {
    test(text, () => expect(arguments_({ text })).toEqual({ text: expanded }));
  }

  test("is given to texts that were handed over, not to defaults and not inside lists", () => {
    expect(arguments_()).toEqual({ text: "[[RunUUID]]" });
    expect(arguments_({ list: ["[[RunUUID]]"] })).toEqual({ list: ["[[RunUUID]]"], text: "[[RunUUID]]" });
  });
});

describe("of a file that is a run of the API", () => {
  const text = JSON.stringify({
    run_id: "r",
    pipeline_spec: writeJson("PipelineSpec", pipeline.spec),
    runtime_config: { parameters: { text: "of the file [[RunUUID]]" }, pipeline_root: "s3://bucket" },
  });
  const read = parsePipeline(text);
  const file = read.ok ? read.pipeline : expect.unreachable();
  const said = { parameterValues: { text: "of the file $&-id" }, gcsOutputDirectory: "s3://bucket" };

  test("a run is given what the file says", () => {
    expect(configIn(toSubmittedWorkflow(file, run))).toEqual(said);
  });

  test("or what it is given itself", () => {
    const given = { ...run, parameters: { text: "mine" }, pipelineRoot: "gs://mine" };
    expect(configIn(toSubmittedWorkflow(file, given))).toEqual({
      parameterValues: { text: "mine" },
      gcsOutputDirectory: "gs://mine",
    });
  });

  test("or with the options, where the file names no root or an empty one", () => {
    const options = { pipelineRoot: "gs://options" };
    const rootOf = (pipeline: Pipeline, given = run) =>
      configIn(toSubmittedWorkflow(pipeline, given, options)).gcsOutputDirectory;
    const empty = parsePipeline(text.replace("s3://bucket", ""));
    expect(rootOf(empty.ok ? empty.pipeline : expect.unreachable())).toBe("gs://options");
    expect(rootOf(pipeline)).toBe("gs://options");
    expect(rootOf(file)).toBe("s3://bucket");
    expect(rootOf(file, { ...run, pipelineRoot: "gs://mine" })).toBe("gs://mine");
    expect(rootOf(file, { ...run, pipelineRoot: "" })).toBeUndefined();
    expect(configIn(toArgoWorkflow(file, { pipelineRoot: "" })).gcsOutputDirectory).toBeUndefined();
  });

  test("a workflow has what the file says, unless another configuration is given", () => {
    expect(configIn(toArgoWorkflow(file))).toEqual({
      ...said,
      parameterValues: { text: "of the file [[RunUUID]]" },
    });
    const none = { parameterValues: { text: "[[RunUUID]]" } };
    expect(configIn(toArgoWorkflow(file, { runtimeConfig: {} }))).toEqual(none);
  });

  test("null is nothing in a configuration, as for protobuf", () => {
    for (const name of ["parameterValues", "parameters", "gcsOutputDirectory"]) {
      expect(configIn(toArgoWorkflow(pipeline, { runtimeConfig: { [name]: null } }))).toEqual({
        parameterValues: { text: "[[RunUUID]]" },
      });
    }
  });
});

test("a run keeps to the account of the options, unless it has one", () => {
  const accountOf = (changes: Partial<ArgoRun>) => {
    const result = toSubmittedWorkflow(pipeline, { ...run, ...changes }, { serviceAccountName: "usual" });
    return result.ok && result.workflow.spec.serviceAccountName;
  };
  expect([accountOf({}), accountOf({ serviceAccountName: "own" })]).toEqual(["usual", "own"]);
});

test.each([{}, { namespace: "team" }])("a run has a workflow of its name and its id, with %j", (place) => {
  const result = toSubmittedWorkflow(pipeline, { ...run, id: "r", ...place }, { namespace: "other" });
  const { metadata, spec } = result.ok ? result.workflow : expect.unreachable();
  expect(metadata).toStrictEqual({
    ...{ generateName: "hello-", ...place, labels: { "pipeline/runid": "r" } },
    annotations: { "pipelines.kubeflow.org/run_name": "My run" },
  });
  expect(spec.podMetadata).toStrictEqual({
    annotations: { "pipelines.kubeflow.org/v2_component": "true" },
    labels: { "pipelines.kubeflow.org/v2_component": "true", "pipeline/runid": "r" },
  });
  expect(spec.securityContext).toStrictEqual({
    ...{ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  });
});

test("a run whose root is empty has none, whatever its options say", () => {
  const result = toSubmittedWorkflow(
    pipeline,
    { ...run, pipelineRoot: "" },
    { pipelineRoot: "gs://options" },
  );
  expect(configIn(result).gcsOutputDirectory).toBeUndefined();
});

test("pods of drivers keep their labels, and what they say of a service mesh themselves", () => {
  const options = {
    driverPodLabels: { team: "a" },
    driverPodAnnotations: { "sidecar.istio.io/inject": "true", other: "b" },
  };
  const result = toSubmittedWorkflow(pipeline, run, options);
  const { templates = [] } = result.ok ? result.workflow.spec : expect.unreachable();
  const metadataOf = (name: string) => templates.find((one) => one.name === name)?.metadata;
  expect(metadataOf("system-dag-driver")).toMatchObject({
    labels: { team: "a" },
    annotations: options.driverPodAnnotations,
  });
  expect(metadataOf("root")).toEqual({ annotations: { "sidecar.istio.io/inject": "false" } });
});

test("a workflow without templates becomes a run as well", () => {
  const root = {
    ...pipeline.spec.components["comp-greet"],
    implementation: { $case: "executorLabel", value: "exec-greet" },
  };
  const result = toSubmittedWorkflow({ ...pipeline, spec: { ...pipeline.spec, root } } as Pipeline, {
    ...run,
    id: "r",
  });
  expect(result.ok && result.workflow.spec.templates).toBeUndefined();
  expect(result).toMatchObject({
    ok: true,
    workflow: { spec: { podMetadata: { labels: { "pipeline/runid": "r" } } } },
    problems: [{ code: "executor-root" }],
  });
});

test("the id of the run takes the place of that of the workflow everywhere", () => {
  const result = toSubmittedWorkflow(pipeline, run);
  expect(JSON.stringify(result)).not.toContain("{{workflow.uid}}");
  expect(JSON.stringify(result)).toContain('"--run_id","$&-id"');
});

test("a refused pipeline is refused for a run as well", () => {
  const other = { ...pipeline, spec: { ...pipeline.spec, components: {} } };
  expect(toSubmittedWorkflow(other, { ...run, id: "r" })).toMatchObject({
    ok: false,
    problems: [{ code: "unknown-component" }],
  });
});

test("runs that are none are refused by name", () => {
  const attempt = (changes: object) => () => toSubmittedWorkflow(pipeline, { ...run, ...changes });
  expect(attempt({ createdAt: "today" })).toThrow("takes a Date as its run.createdAt");
  expect(attempt({ createdAt: new Date(Number.NaN) })).toThrow("takes a Date as its run.createdAt");
  expect(attempt({ id: undefined })).toThrow("takes a text as its run.id");
  expect(attempt({ parameters: [] })).toThrow("takes an object as its run.parameters");
  for (const name of ["id", "displayName", "namespace", "serviceAccountName", "pipelineRoot"])
    expect(attempt({ [name]: 5 })).toThrow(
      new TypeError(`the option "${name}" of the run of toSubmittedWorkflow is a text, not the number 5`),
    );
  expect(attempt({ id: "" })).toThrow("takes a run.id that is not empty");
  expect(attempt({ dispalyName: "x" })).toThrow('has no option "dispalyName"');
});

test("what is wrong with a run is told before what is wrong with the options", () => {
  const { problems } = toSubmittedWorkflow(pipeline, { ...run, id: "a b" }, { namespace: "A B" });
  expect(problems.map(({ message }) => message.split(":")[0])).toEqual(["run.id", "namespace"]);
});

test("sources are looked up once", () => {
  const result = toArgoWorkflow(pipeline);
  expect(result.ok && result.sources).toBe(result.ok && result.sources);
});
