import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { type ArgoOptions, toArgoWorkflow } from "../src/index.js";
import { importer, type Json, loop, type Parts, pipelineOf, to } from "./small-pipelines.js";

// What is told of the second of several things, and only once of what several share.

const using = (more: Json): Json => ({ container: { image: "a", command: ["x"], ...more } });
const workspace = (size: string, pvcSpecPatch: Json): Parts => ({
  tasks: { a: to("leaf") },
  platforms: { kubernetes: { pipelineConfig: { workspace: { size, kubernetes: { pvcSpecPatch } } } } },
});
const inWorkspace = "/platforms/kubernetes/pipelineConfig/workspace";
const never = "is never tried again: without a backoffMaxDuration of a second or more no time is left for it";

// biome-ignore format: a table
const rows: readonly (readonly [thing: string, parts: Parts, options: ArgoOptions, told: readonly string[]])[] = [
  ["a task that waits for one that is there and one that is not", { tasks: { a: to("leaf"), b: to("leaf", { dependentTasks: ["a", "gone"] }) } }, {}, ['/root/dag/tasks/b/dependentTasks the task "b" waits for "gone", which is no task of the DAG']],
  ["retries that two tasks inside take over", { tasks: { a: to("d", { retryPolicy: { maxRetryCount: 2 } }) }, components: { d: { dag: { tasks: { x: to("leaf"), y: to("leaf") } } } } }, {}, [`/root/dag/tasks/a/retryPolicy the task "x" ${never}`]],
  ["two containers in a workspace, of which somebody makes another claim", { tasks: { a: to("leaf") }, executor: using({ args: ["{{$.workspace_path}}"] }) }, { specPatch: { volumeClaimTemplates: [{ metadata: { name: "other" } }] } }, ["/deploymentSpec/executors/e this waits for the claim of a workspace, which nobody makes"]],
  ["a variable in a workspace", { tasks: { a: to("leaf") }, executor: using({ env: [{ name: "A", value: "{{$.workspace_path}}" }] }) }, {}, ["/deploymentSpec/executors/e this waits for the claim of a workspace, which nobody makes"]],
  ["keys of labels with a tag of Argo, and with two slashes", { tasks: { a: to("leaf") }, platforms: { kubernetes: { deploymentSpec: { executors: { e: { podMetadata: { labels: { "{{x}} y": "z", "a/b/c": "x" } } } } } } } }, {}, ["/platforms/kubernetes/deploymentSpec/executors/e/podMetadata/labels/a~1b~1c \"a/b/c\" is no key of a label or an annotation"]],
  ["a component with an empty label for its executor", { tasks: { a: to("none") }, components: { none: { executorLabel: "" } } }, {}, ['/components/none the component "none" has neither an executor nor a DAG']],
  ["a workspace with a blank for its size", workspace(" ", { accessModes: ["ReadWriteOnce"] }), {}, [`${inWorkspace}/size " " is not a quantity of Kubernetes`]],
  ["a workspace with an empty text among its modes", workspace("1Gi", { accessModes: ["ReadWriteOnce", ""] }), {}, [`${inWorkspace}/kubernetes/pvcSpecPatch/accessModes there is no access mode ""`]],
];

test.each(rows)("of %s all is told, in the order of the workflow", (_, parts, options, told) => {
  const { problems } = toArgoWorkflow(pipelineOf(parts), options);
  expect(problems.map(({ path, message }) => `${path} ${message}`)).toEqual(told);
});

test("every executor that uses a workspace without claim is told", () => {
  const pipeline = pipelineOf({
    tasks: { a: to("leaf"), b: to("more") },
    components: { more: { executorLabel: "f" } },
  });
  const made = pipeline.deployment.executors.e ?? expect.unreachable();
  const spec = made.spec?.$case === "container" ? made.spec : expect.unreachable();
  const executors = Object.fromEntries(
    ["e", "f"].map((label) => [
      label,
      { ...made, spec: { ...spec, value: { ...spec.value, args: [label, "{{$.workspace_path}}"] } } },
    ]),
  );
  const { problems } = toArgoWorkflow({ ...pipeline, deployment: { ...pipeline.deployment, executors } });
  expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
    "workspace-claim /deploymentSpec/executors/e",
    "workspace-claim /deploymentSpec/executors/f",
  ]);
});

test("of a loop that leads back to the DAG around it the words of the back end say that it is in a loop", () => {
  const components = { d: { dag: { tasks: { x: to("f") } } }, f: { dag: { tasks: { y: to("d", loop) } } } };
  const { problems } = toArgoWorkflow(pipelineOf({ tasks: { a: to("d") }, components }));
  expect(problems.map(({ backEnd }) => backEnd)).toEqual([
    'compiling DAG "f": compiling task "y": iterator task: iterationItem task: using component spec: failed to find workflow parameter "components-d"',
  ]);
});

/** Every object and list in a value, as often as it is there. */
function objectsIn(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

const imported: Parts = { tasks: { a: to("leaf") }, executor: importer };
const own: ArgoOptions = {
  driverCommand: ["d"],
  launcherCommand: ["l"],
  driverPodLabels: { a: "b" },
  driverPodAnnotations: { c: "d" },
  defaultWorkspace: { accessModes: ["ReadWriteOnce"], selector: { matchLabels: { a: "b" } } },
};
const specPatch = { nodeSelector: { a: "b" }, tolerations: [{ key: "a" }] };

test.each([
  ["a container with a workspace", workspace("1Gi", {}), own],
  ["an importer", imported, own],
  ["a container with a workspace and a patch", workspace("1Gi", {}), { ...own, specPatch }],
])(
  "two workflows of %s share nothing with each other or the options, and have nothing twice",
  (_, parts, options) => {
    const made = () => {
      const result = toArgoWorkflow(pipelineOf(parts), options);
      return objectsIn(result.ok ? result.workflow : expect.unreachable());
    };
    const [one, other] = [made(), made()];
    const all = [...objectsIn(options), ...one, ...other];
    const seen = new Set<unknown>();
    const again = all.filter((value) => seen.has(value) || seen.add(value) === undefined);
    expect(again).toEqual([]);
  },
);

test("values that a run is given stand in the place of defaults, also where they are nothing or false", () => {
  const parsed = parsePipeline(`
pipelineInfo: {name: t}
root:
  inputDefinitions:
    parameters:
      n: {parameterType: NUMBER_INTEGER, isOptional: true, defaultValue: 5}
      b: {parameterType: BOOLEAN, isOptional: true, defaultValue: true}
  dag: {tasks: {a: {componentRef: {name: leaf}}}}
components: {leaf: {executorLabel: e}}
deploymentSpec: {executors: {e: {container: {image: a}}}}
`);
  const { pipeline } = parsed.ok ? parsed : expect.unreachable();
  const result = toArgoWorkflow(pipeline, { runtimeConfig: { parameterValues: { n: 0, b: false } } });
  const { templates } = result.ok ? result.workflow.spec : expect.unreachable();
  const [driver] = templates?.find(({ name }) => name === "entrypoint")?.dag?.tasks ?? [];
  const config = driver?.arguments.parameters.find(({ name }) => name === "runtime-config");
  expect(config?.value).toBe('{"parameterValues":{"b":false,"n":0}}');
});

test("another command of drivers is none of the launcher, and a switch that is off is not written before 2.17", () => {
  const options = { driverCommand: ["d"], cacheDisabled: false, mlPipelineTlsEnabled: false };
  const result = toArgoWorkflow(pipelineOf({ tasks: { a: to("leaf") } }), { ...options, target: "2.16" });
  const { templates = [] } = result.ok ? result.workflow.spec : expect.unreachable();
  const containers = templates.flatMap(({ container, initContainers = [] }) => [
    ...(container === undefined ? [] : [container]),
    ...initContainers,
  ]);
  const launchers = containers.filter(({ name }) => name === "kfp-launcher");
  expect(launchers.map(({ command }) => command)).toEqual([["launcher-v2"]]);
  const args = containers.flatMap((one) => one.args ?? []);
  expect(args.filter((arg) => /cache_disabled|tls_enabled/.test(arg))).toEqual([]);
});

test("a patch goes on behind what is undefined, and may come back to a template", () => {
  const patch = {
    priority: undefined,
    hostNetwork: true,
    templates: [
      { name: "root", parallelism: 2 },
      { name: "root", failFast: true },
    ],
  } as unknown as NonNullable<ArgoOptions["specPatch"]>;
  const result = toArgoWorkflow(pipelineOf({ tasks: { a: to("leaf") } }), {
    specPatch: patch,
  });
  const { spec } = result.ok ? result.workflow : expect.unreachable(JSON.stringify(result.problems));
  expect(spec).toMatchObject({ hostNetwork: true });
  expect(spec.templates?.find(({ name }) => name === "root")).toMatchObject({
    parallelism: 2,
    failFast: true,
  });
});
