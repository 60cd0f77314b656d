import type { ArgoContainer, ArgoParameter, ArgoTemplate } from "../argo-workflow.js";
import type { Settings } from "../options/settings.js";
import { type CarriedMetadata, metadataFromInputs, metadataInputs } from "./pod-metadata.js";
import {
  certificateFolder,
  emptyFolder,
  metadataVariables,
  mounted,
  podVariables,
  restrictedContainer,
  runtimeRole,
} from "./pod-parts.js";
import { argumentList, input } from "./references.js";
import { retryInputs } from "./retry-values.js";
import { switches } from "./switches.js";

/** What tells the templates of executors apart. */
export interface ExecutorVariant {
  readonly retries: boolean;
  readonly metadata: CarriedMetadata | undefined;
}

/** Name of the template that runs the containers of tasks, unless their results are in the cache. */
export function executorName(variant: ExecutorVariant): string {
  return `${prefix(variant)}system-container-executor`;
}

/** Name of the template whose pods run the containers of tasks. */
export function implementationName(variant: ExecutorVariant): string {
  return `${prefix(variant)}system-container-impl`;
}

function prefix({ retries, metadata }: ExecutorVariant): string {
  return `${metadata?.prefix ?? ""}${retries ? "retry-" : ""}`;
}

function metadataNames({ metadata }: ExecutorVariant): string[] {
  return metadataInputs(metadata).map(([name]) => name);
}

/** The template that runs the other one, unless the results of a task are in the cache. */
export function executor(variant: ExecutorVariant): ArgoTemplate {
  const names = metadataNames(variant);
  const retries = variant.retries ? retryInputs : [];
  const passed = ["pod-spec-patch", ...names, ...retries];
  const task = {
    name: "executor",
    template: implementationName(variant),
    arguments: argumentList(Object.fromEntries(passed.map((name) => [name, input(name)]))),
    when: `${input("cached-decision")} != true`,
  };
  const parameters: ArgoParameter[] = [
    { name: "pod-spec-patch" },
    { name: "cached-decision", default: "false" },
    ...names.map((name) => ({ name })),
    ...retries.map((name) => ({ name, default: "0" })),
  ];
  return {
    name: executorName(variant),
    inputs: { parameters },
    outputs: {},
    metadata: {},
    dag: { tasks: [task] },
  };
}

const folders: readonly (readonly [name: string, path: string])[] = [
  ["kfp-launcher", "/kfp-launcher"],
  ["gcs-scratch", "/gcs"],
  ["s3-scratch", "/s3"],
  ["minio-scratch", "/minio"],
  ["dot-local-scratch", "/.local"],
  ["dot-cache-scratch", "/.cache"],
  ["dot-config-scratch", "/.config"],
];

/** The template whose pods run the container: what the driver has found out comes as a patch. */
export function implementation(variant: ExecutorVariant, settings: Settings): ArgoTemplate {
  const names = ["pod-spec-patch", ...metadataNames(variant), ...(variant.retries ? retryInputs : [])];
  const volumes = mounted([
    ...folders.map(([name, path]) => emptyFolder(name, path)),
    ...certificateFolder(settings),
  ]);
  return {
    name: implementationName(variant),
    inputs: { parameters: names.map((name) => ({ name })) },
    outputs: {},
    metadata: metadataFromInputs(runtimeRole("launcher", settings), variant.metadata),
    container: { ...mainContainer(variant, settings), ...volumes.container },
    initContainers: [launcher(settings)],
    podSpecPatch: input("pod-spec-patch"),
    securityContext: { seccompProfile: { type: "RuntimeDefault" } },
    ...volumes.pod,
    ...(variant.retries ? { retryStrategy: retryStrategy() } : {}),
  };
}

/** Image and command come with the patch that the driver makes. */
function mainContainer({ retries }: ExecutorVariant, { options }: Settings): ArgoContainer {
  const { defaultRunAsUser, defaultRunAsGroup, defaultRunAsNonRoot } = options;
  const retryIndex = { name: "KFP_RETRY_INDEX", value: "{{retries}}" };
  return {
    name: "",
    image: "gcr.io/ml-pipeline/should-be-overridden-during-runtime",
    command: ["should-be-overridden-during-runtime"],
    env: [...podVariables(), ...(retries ? [retryIndex] : [])],
    envFrom: metadataVariables(),
    resources: {},
    securityContext: {
      ...restrictedContainer({}),
      ...(defaultRunAsUser === undefined ? {} : { runAsUser: defaultRunAsUser }),
      ...(defaultRunAsGroup === undefined ? {} : { runAsGroup: defaultRunAsGroup }),
      ...(defaultRunAsNonRoot === undefined ? {} : { runAsNonRoot: defaultRunAsNonRoot }),
    },
  };
}

/** Puts the launcher into a folder from which the main container starts it. */
function launcher(settings: Settings): ArgoContainer {
  const args = ["--copy", "/kfp-launcher/launch"];
  return {
    name: "kfp-launcher",
    image: settings.launcherImage,
    command: [...settings.launcherCommand],
    args: settings.target.explicitFlags ? args : [...args, ...switches(settings, "cache", "logs")],
    resources: { limits: { cpu: "500m", memory: "256Mi" }, requests: { cpu: "100m" } },
    securityContext: restrictedContainer({ runAsNonRoot: true }),
    volumeMounts: [emptyFolder("kfp-launcher", "/kfp-launcher").mount],
  };
}

function retryStrategy() {
  const [limit, duration, factor, maxDuration] = retryInputs.map(input);
  return { limit, backoff: { duration, factor, maxDuration } };
}
