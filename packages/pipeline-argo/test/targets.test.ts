import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type ArgoOptions, type ArgoTemplate, toArgoWorkflow } from "../src/index.js";
import { targets } from "../src/options/target.js";
import { leaf, pipelineOf, to } from "./small-pipelines.js";

const written = `
pipelineInfo: {name: hello}
root: {dag: {tasks: {greet: {componentRef: {name: comp-greet}}, fetch: {componentRef: {name: comp-fetch}}}}}
components: {comp-greet: {executorLabel: exec-greet}, comp-fetch: {executorLabel: exec-fetch}}
deploymentSpec:
  executors:
    exec-greet: {container: {image: python}}
    exec-fetch: {importer: {artifactUri: {constant: "gs://b"}, typeSchema: {schemaTitle: system.Artifact}}}
---
platforms:
  kubernetes:
    deploymentSpec:
      executors: {exec-greet: {securityContext: {runAsUser: 0, runAsNonRoot: true}}}
`;
const parsed = parsePipeline(written);
const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable();

test("each version has traits of its own", () => {
  const none = {
    ...{ createTime: false, runtimeRole: false, explicitFlags: false },
    ...{ driverPodMetadata: false, refusesRoot: false },
  };
  const all = {
    ...{ createTime: true, runtimeRole: true, explicitFlags: true },
    ...{ driverPodMetadata: true, refusesRoot: true },
  };
  expect(targets).toEqual({
    ...{ "2.16": none, "2.17": { ...none, createTime: true, runtimeRole: true }, main: all },
  });
});

/** The templates of the workflow for a version, by name. */
function templatesOf(target: "2.16" | "2.17", options: ArgoOptions = {}): ReadonlyMap<string, ArgoTemplate> {
  const result = toArgoWorkflow(pipeline, { ...options, target });
  if (!result.ok) expect.unreachable(JSON.stringify(result.problems));
  return new Map(result.workflow.spec.templates?.map((template) => [template.name, template]));
}

const everything: ArgoOptions = {
  cacheDisabled: true,
  mlPipelineTlsEnabled: true,
  metadataTlsEnabled: true,
  caBundle: { secretName: "bundle" },
  logLevel: "",
  publishLogs: "false",
  driverPodLabels: { team: "a" },
};
const all = [
  "--cache_disabled",
  "--log_level",
  "",
  "--publish_logs",
  "false",
  "--ml_pipeline_tls_enabled",
  "--metadata_tls_enabled",
  "--ca_cert_path",
  "/kfp/certs/ca.crt",
];
const some = [
  "--cache_disabled",
  "--ml_pipeline_tls_enabled",
  "--metadata_tls_enabled",
  "--ca_cert_path",
  "/kfp/certs/ca.crt",
  "--log_level",
  "",
  "--publish_logs",
  "false",
];

describe.each(["2.16", "2.17"] as const)("the released %s", (target) => {
  test("has switches only when they are on", () => {
    const plain = templatesOf(target);
    const full = templatesOf(target, everything);
    const added = (name: string) => {
      const before = plain.get(name)?.container?.args ?? [];
      const after = full.get(name)?.container?.args ?? [];
      expect(after.slice(0, before.length)).toEqual(before);
      return after.slice(before.length);
    };
    expect(plain.get("system-dag-driver")?.container?.args?.slice(-2)).toEqual([
      "--mlmd_server_port",
      "8080",
    ]);
    expect(added("system-dag-driver")).toEqual(all);
    expect(added("system-container-driver")).toEqual(all);
    expect(added("system-importer")).toEqual(some);
    const launcher = full.get("system-container-impl")?.initContainers?.[0]?.args;
    expect(launcher).toEqual([
      "--copy",
      "/kfp-launcher/launch",
      "--cache_disabled",
      "--log_level",
      "",
      "--publish_logs",
      "false",
    ]);
  });

  test("gives pods of drivers no labels, and does not look at the users of containers", () => {
    expect(templatesOf(target, everything).get("system-dag-driver")?.metadata.labels).toBeUndefined();
  });
});

test.each<[caBundle: NonNullable<ArgoOptions["caBundle"]>, source: object]>([
  [{ secretName: "s" }, { secret: { secretName: "s", items: [{ key: "ca.crt", path: "ca.crt" }] } }],
  [
    { configMapName: "c", key: "k.pem" },
    { configMap: { name: "c", items: [{ key: "k.pem", path: "ca.crt" }] } },
  ],
  [
    { secretName: "s", configMapName: "c" },
    { secret: { secretName: "s", items: [{ key: "ca.crt", path: "ca.crt" }] } },
  ],
])(
  "certificates %j are mounted where programs look for them, whatever they are called",
  (caBundle, source) => {
    const made = templatesOf("2.17", { caBundle });
    for (const name of [
      "system-dag-driver",
      "system-container-driver",
      "system-importer",
      "system-container-impl",
    ]) {
      const { volumes, container } = made.get(name) ?? {};
      expect(volumes).toContainEqual({ name: "custom-ca", ...source });
      expect(container?.volumeMounts).toContainEqual({ name: "custom-ca", mountPath: "/kfp/certs" });
    }
  },
);

test("main refuses containers that ask for root where they must not be root", () => {
  expect(toArgoWorkflow(pipeline)).toMatchObject({ ok: false, problems: [{ code: "root-user" }] });
});

test("a container that asks for root is refused for each component that runs it", () => {
  const platforms = {
    kubernetes: {
      deploymentSpec: { executors: { e: { securityContext: { runAsUser: 0, runAsNonRoot: true } } } },
    },
  };
  const tasks = { a: to("leaf"), b: to("other") };
  const result = toArgoWorkflow(pipelineOf({ tasks, components: { other: leaf }, platforms }));
  expect(
    result.problems.map(({ code, backEnd }) => [
      code,
      /component "(\w+)": runAsNonRoot/.exec(backEnd ?? "")?.[1],
    ]),
  ).toEqual([
    ["root-user", "leaf"],
    ["root-user", "other"],
  ]);
});

test.each<[administrator: boolean | undefined, container: boolean | undefined, refused: boolean]>([
  [undefined, undefined, false],
  [undefined, false, false],
  [undefined, true, true],
  [true, undefined, true],
  [true, false, true],
  [true, true, true],
  [false, undefined, false],
  [false, false, false],
  [false, true, false],
])(
  "what the administrator says of root (%s) stands above what the container says (%s)",
  (administrator, container, refused) => {
    const asRoot = parsePipeline(
      written.replace("runAsNonRoot: true", container === undefined ? "" : `runAsNonRoot: ${container}`),
    );
    const options = administrator === undefined ? {} : { defaultRunAsNonRoot: administrator };
    const result = toArgoWorkflow(asRoot.ok ? asRoot.pipeline : expect.unreachable(), options);
    expect(result.ok).toBe(!refused);
    expect(result.problems.map(({ code }) => code)).toEqual(refused ? ["root-user"] : []);
  },
);

test.each<[ArgoOptions, told: readonly string[]]>([
  [{}, ["root-user"]],
  [{ defaultRunAsUser: 0 }, []],
  [{ defaultRunAsUser: 5 }, []],
  [{ target: "2.17" }, []],
])(
  "root is not refused where the administrator names a user, even root, and not before: %j",
  (options, told) => {
    expect(toArgoWorkflow(pipeline, options).problems.map(({ code }) => code)).toEqual(told);
  },
);

test.each<[ArgoOptions, expected: Readonly<Record<string, unknown>>]>([
  [{}, {}],
  [{ defaultRunAsUser: 0 }, { runAsUser: 0 }],
  [{ defaultRunAsGroup: 0 }, { runAsGroup: 0 }],
  [{ defaultRunAsNonRoot: false }, { runAsNonRoot: false }],
  [
    { defaultRunAsUser: 5, defaultRunAsGroup: 6, defaultRunAsNonRoot: true },
    { runAsUser: 5, runAsGroup: 6, runAsNonRoot: true },
  ],
])("containers run as the administrator says, also as 0: %j", (options, expected) => {
  const container = templatesOf("2.17", options).get("system-container-impl")?.container;
  const { runAsUser, runAsGroup, runAsNonRoot } = { ...container?.securityContext };
  expect(JSON.parse(JSON.stringify({ runAsUser, runAsGroup, runAsNonRoot }))).toEqual(expected);
});

test("2.16 knows neither when a workflow was made nor which role a pod has", () => {
  const [old, released] = [templatesOf("2.16"), templatesOf("2.17")];
  for (const name of ["system-dag-driver", "system-container-driver"]) {
    expect(old.get(name)?.container?.args).not.toContain("--pipeline_job_create_time_utc");
    expect(released.get(name)?.container?.args).toContain("--pipeline_job_create_time_utc");
  }
  for (const name of [
    "system-dag-driver",
    "system-container-driver",
    "system-container-impl",
    "system-importer",
  ]) {
    expect(old.get(name)?.metadata).toEqual({});
    expect(released.get(name)?.metadata.annotations).toHaveProperty("pipelines.kubeflow.org/runtime-role");
  }
});

test.each<[ArgoOptions, flags: readonly string[]]>([
  [{ cacheDisabled: true }, ["--cache_disabled"]],
  [{ mlPipelineTlsEnabled: true }, ["--ml_pipeline_tls_enabled"]],
  [{ metadataTlsEnabled: true }, ["--metadata_tls_enabled"]],
])("each switch is one of its own: %j", (options, flags) => {
  const args = templatesOf("2.17", options).get("system-dag-driver")?.container?.args ?? [];
  const ours = args.filter((one) => one.endsWith("_enabled") || one.endsWith("_disabled"));
  expect(ours).toEqual(flags);
});

test("who changes the commands of a workflow does not change those of the options", () => {
  const options = { driverCommand: ["d"], launcherCommand: ["l"] };
  const templates = [...templatesOf("2.17", options).values()];
  const containers = templates.flatMap(({ container, initContainers = [] }) => [
    container,
    ...initContainers,
  ]);
  const commands = containers.map((one) => one?.command).filter((one) => one !== undefined);
  expect(commands.map(([first]) => first)).toEqual(expect.arrayContaining(["d", "l"]));
  for (const command of commands) {
    expect(command).not.toBe(options.driverCommand);
    expect(command).not.toBe(options.launcherCommand);
  }
});
