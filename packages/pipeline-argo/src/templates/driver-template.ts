import type { ArgoMetadata, ArgoParameter, ArgoTemplate } from "../argo-workflow.js";
import type { Settings } from "../options/settings.js";
import {
  certificateFolder,
  driverResources,
  mounted,
  podVariables,
  proxyVariables,
  restrictedContainer,
  restrictedPod,
  runtimeRole,
} from "./pod-parts.js";
import { input, outputPath } from "./references.js";
import { switches } from "./switches.js";

/** Name of the template whose pods get a container ready to run. */
export const containerDriverName = "system-container-driver";

/** Name of the template whose pods get a DAG ready to run. */
export const dagDriverName = "system-dag-driver";

const containerInputs: readonly ArgoParameter[] = [
  { name: "component" },
  { name: "task" },
  { name: "container" },
  { name: "task-name" },
  { name: "parent-dag-id" },
  { name: "iteration-index", default: "-1" },
  { name: "kubernetes-config", default: "" },
];

const containerOutputs: readonly ArgoParameter[] = [
  { name: "pod-spec-patch", valueFrom: { path: "/tmp/outputs/pod-spec-patch", default: "" } },
  {
    name: "cached-decision",
    default: "false",
    valueFrom: { path: "/tmp/outputs/cached-decision", default: "false" },
  },
  { name: "condition", valueFrom: { path: "/tmp/outputs/condition", default: "true" } },
];

const dagInputs: readonly ArgoParameter[] = [
  { name: "component" },
  { name: "runtime-config", default: "" },
  { name: "task", default: "" },
  { name: "task-name", default: "" },
  { name: "parent-dag-id", default: "0" },
  { name: "iteration-index", default: "-1" },
  { name: "driver-type", default: "DAG" },
];

const dagOutputs: readonly ArgoParameter[] = [
  { name: "execution-id", valueFrom: { path: "/tmp/outputs/execution-id" } },
  { name: "iteration-count", valueFrom: { path: "/tmp/outputs/iteration-count", default: "0" } },
  { name: "condition", valueFrom: { path: "/tmp/outputs/condition", default: "true" } },
];

/** The template whose pods get a container ready to run: inputs, cache, condition, patch of the pod. */
export function containerDriver(pipelineName: string, settings: Settings): ArgoTemplate {
  const own = {
    container: input("container"),
    iteration_index: input("iteration-index"),
    cached_decision_path: outputPath("cached-decision"),
    pod_spec_patch_path: outputPath("pod-spec-patch"),
    condition_path: outputPath("condition"),
    kubernetes_config: input("kubernetes-config"),
  };
  const args = [...driverArguments("CONTAINER", own, pipelineName, settings), ...podDefaults(settings)];
  const env = [...proxyVariables(settings), ...podVariables()];
  return {
    ...driver(args, env, settings),
    name: containerDriverName,
    inputs: { parameters: copies(containerInputs) },
    outputs: { parameters: copies(containerOutputs) },
  };
}

/** The template whose pods get a DAG, or the iterations of a loop, ready to run. */
export function dagDriver(pipelineName: string, settings: Settings): ArgoTemplate {
  const own = {
    runtime_config: input("runtime-config"),
    iteration_index: input("iteration-index"),
    execution_id_path: outputPath("execution-id"),
    iteration_count_path: outputPath("iteration-count"),
    condition_path: outputPath("condition"),
  };
  return {
    ...driver(
      driverArguments(input("driver-type"), own, pipelineName, settings),
      proxyVariables(settings),
      settings,
    ),
    name: dagDriverName,
    inputs: { parameters: copies(dagInputs) },
    outputs: { parameters: copies(dagOutputs) },
  };
}

/** Templates share nothing, so that whoever changes one changes no other. */
function copies(parameters: readonly ArgoParameter[]): ArgoParameter[] {
  return structuredClone([...parameters]);
}

function driverArguments(
  type: string,
  own: Readonly<Record<string, string>>,
  pipelineName: string,
  settings: Settings,
): string[] {
  const { target, mlPipelineAddress, metadataAddress, httpProxy, httpsProxy, noProxy } = settings;
  const values: Record<string, string> = {
    type,
    pipeline_name: pipelineName,
    run_id: "{{workflow.uid}}",
    run_name: "{{workflow.name}}",
    run_display_name: settings.options.displayName ?? "",
    ...(target.createTime ? { pipeline_job_create_time_utc: "{{workflow.creationTimestamp}}" } : {}),
    dag_execution_id: input("parent-dag-id"),
    component: input("component"),
    task: input("task"),
    task_name: input("task-name"),
    ...own,
    http_proxy: httpProxy,
    https_proxy: httpsProxy,
    no_proxy: noProxy,
    ml_pipeline_server_address: mlPipelineAddress,
    ml_pipeline_server_port: "8887",
    mlmd_server_address: metadataAddress,
    mlmd_server_port: "8080",
  };
  return [
    ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]),
    ...switches(settings, "cache", "logs", "tls"),
  ];
}

/** What the administrator wants of the pods of tasks. */
function podDefaults({ options }: Settings): string[] {
  const values = {
    default_run_as_user: options.defaultRunAsUser,
    default_run_as_group: options.defaultRunAsGroup,
    default_run_as_non_root: options.defaultRunAsNonRoot,
    default_host_users: options.defaultHostUsers,
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, String(value)],
  );
}

function driver(args: string[], env: ArgoTemplate["volumes"] & object, settings: Settings) {
  const folders = mounted(certificateFolder(settings));
  return {
    metadata: driverMetadata(settings),
    container: {
      name: "",
      image: settings.driverImage,
      command: [...settings.driverCommand],
      args,
      ...(env.length === 0 ? {} : { env }),
      resources: driverResources(),
      securityContext: restrictedContainer({ runAsNonRoot: true }),
      ...folders.container,
    },
    securityContext: restrictedPod(),
    ...folders.pod,
  };
}

/** What the back end writes itself wins over what the administrator adds. */
function driverMetadata(settings: Settings): ArgoMetadata {
  const own = runtimeRole("driver", settings);
  const { driverPodLabels = {}, driverPodAnnotations = {} } = settings.target.driverPodMetadata
    ? settings.options
    : {};
  const annotations = { ...driverPodAnnotations, ...own.annotations };
  return {
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(Object.keys(driverPodLabels).length === 0 ? {} : { labels: { ...driverPodLabels } }),
  };
}
