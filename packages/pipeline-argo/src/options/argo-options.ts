import type { JsonObject } from "../text/json.js";
import type { ArgoTarget } from "./target.js";

/**
 * What differs from one installation of Kubeflow Pipelines to the next. Beside each option stands the variable that sets it
 * in the API server, where there is one; this package reads no environment.
 */
export interface ArgoOptions {
  /**
   * The version whose images will run: `"main"`, the default, suits the released 2.17 as well; `"2.17"` is what the released
   * 2.17.0 itself writes; `"2.16"` leaves out what images of 2.16 do not know.
   */
  readonly target?: ArgoTarget;
  /** Image of the drivers: `V2_DRIVER_IMAGE`. Name a version: flags are a contract between workflow and image. */
  readonly driverImage?: string;
  /** Image of the launcher: `V2_LAUNCHER_IMAGE`. */
  readonly launcherImage?: string;
  /** Command of the drivers: `V2_DRIVER_COMMAND`, split at each blank. */
  readonly driverCommand?: readonly string[];
  /** Command of the launcher: `V2_LAUNCHER_COMMAND`, split at each blank. */
  readonly launcherCommand?: readonly string[];
  /** Root folder of artifacts, in place of the one in the runtime configuration. */
  readonly pipelineRoot?: string;
  /** Arguments of the run, in place of those of the run or the job in the file. */
  readonly runtimeConfig?: ArgoRuntimeConfig;
  /** Name of the run for people, in place of that of the job in the file. */
  readonly displayName?: string;
  /** No task takes or leaves results in the cache. Set it for workflows that are submitted without the API server. */
  readonly cacheDisabled?: boolean;
  /** Whether the API server is called over TLS. */
  readonly mlPipelineTlsEnabled?: boolean;
  /** Whether the metadata store is called over TLS: `METADATA_TLS_ENABLED`. */
  readonly metadataTlsEnabled?: boolean;
  /** Where the certificates are that TLS trusts. */
  readonly caBundle?: CaBundle;
  /** Proxy of drivers: `HTTP_PROXY`. */
  readonly httpProxy?: string;
  /** Proxy of drivers: `HTTPS_PROXY`. */
  readonly httpsProxy?: string;
  /** What is called without a proxy: `NO_PROXY`. When absent beside a proxy, the services of the cluster. */
  readonly noProxy?: string;
  /** Namespace of the services: `POD_NAMESPACE`; `"kubeflow"` by default. */
  readonly namespace?: string;
  /** Domain of the cluster: `CLUSTER_DOMAIN`; `"cluster.local"` by default. */
  readonly clusterDomain?: string;
  /** Service of the API server: `ML_PIPELINE_SERVICE_NAME`. */
  readonly mlPipelineServiceName?: string;
  /** Service of the metadata store: `METADATA_SERVICE_NAME`. */
  readonly metadataServiceName?: string;
  /** User of all pods: `PIPELINE_RUN_AS_USER`. */
  readonly runAsUser?: number;
  /** How much drivers and launchers log: `PIPELINE_LOG_LEVEL`; `"1"` by default. */
  readonly logLevel?: string;
  /** Whether logs become artifacts: `PUBLISH_LOGS`; `"true"` by default. */
  readonly publishLogs?: string;
  /** Service account of all pods: `DEFAULTPIPELINERUNNERSERVICEACCOUNT`. */
  readonly serviceAccountName?: string;
  /** The specification of a volume claim from which workspaces are made. */
  readonly defaultWorkspace?: JsonObject;
  /** User of the containers of tasks, over what a task asks for. */
  readonly defaultRunAsUser?: number;
  /** Group of the containers of tasks, over what a task asks for. */
  readonly defaultRunAsGroup?: number;
  /** Whether the containers of tasks must not run as root, over what a task asks for. */
  readonly defaultRunAsNonRoot?: boolean;
  /** Whether the pods of tasks share the user names of their node. */
  readonly defaultHostUsers?: boolean;
  /** Labels of the pods of drivers. */
  readonly driverPodLabels?: Readonly<Record<string, string>>;
  /** Annotations of the pods of drivers. */
  readonly driverPodAnnotations?: Readonly<Record<string, string>>;
  /** Laid over `spec` of the workflow as a strategic merge patch: `COMPILED_PIPELINE_SPEC_PATCH`. */
  readonly specPatch?: JsonObject;
  /** As many characters may the texts of the pipeline take in the workflow; 64 Mi by default, far more than a cluster takes. */
  readonly maxSize?: number;
  /** As many problems are listed, errors first; 1,000 by default. */
  readonly maxProblems?: number;
}

/** Arguments of a run. */
export interface ArgoRuntimeConfig {
  /** By name of the input parameter. */
  readonly parameterValues?: { readonly [name: string]: unknown };
  /** Root folder of artifacts. */
  readonly gcsOutputDirectory?: string;
}

/** Where certificates are; a secret wins over a config map. */
export interface CaBundle {
  /** `CABUNDLE_SECRET_NAME` */
  readonly secretName?: string;
  /** `CABUNDLE_CONFIGMAP_NAME` */
  readonly configMapName?: string;
  /** The entry with the certificates: `CABUNDLE_KEY_NAME`; `"ca.crt"` by default. */
  readonly key?: string;
}
