import type { ArgoOptions, CaBundle } from "./argo-options.js";
import { type TargetTraits, targets } from "./target.js";

/** The options, with what stands for those that are absent. */
export interface Settings {
  readonly options: ArgoOptions;
  readonly target: TargetTraits;
  readonly driverImage: string;
  readonly driverCommand: readonly string[];
  readonly launcherImage: string;
  readonly launcherCommand: readonly string[];
  readonly serviceAccountName: string;
  readonly mlPipelineAddress: string;
  readonly metadataAddress: string;
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
  readonly maxSize: number;
  /** Undefined when no secret and no config map is named. */
  readonly caBundle: CaBundle | undefined;
}

/** What the host did not say stands for what a fresh installation has. */
export function settingsOf(options: ArgoOptions): Settings {
  const { target = "main", namespace = "kubeflow", clusterDomain = "cluster.local" } = options;
  const address = (service: string) => `${service}.${namespace}.svc.${clusterDomain}`;
  const { httpProxy = "", httpsProxy = "", caBundle } = options;
  const proxied = httpProxy !== "" || httpsProxy !== "";
  return {
    options,
    target: targets[target],
    driverImage: options.driverImage ?? "ghcr.io/kubeflow/kfp-driver:latest",
    driverCommand: options.driverCommand ?? ["driver"],
    launcherImage: options.launcherImage ?? "ghcr.io/kubeflow/kfp-launcher:latest",
    launcherCommand: options.launcherCommand ?? ["launcher-v2"],
    serviceAccountName: options.serviceAccountName ?? "pipeline-runner",
    mlPipelineAddress: address(options.mlPipelineServiceName ?? "ml-pipeline"),
    metadataAddress: address(options.metadataServiceName ?? "metadata-grpc-service"),
    httpProxy,
    httpsProxy,
    maxSize: options.maxSize ?? 64 * 1024 * 1024,
    noProxy: options.noProxy ?? (proxied ? withoutProxy(clusterDomain) : ""),
    caBundle: caBundle?.secretName || caBundle?.configMapName ? caBundle : undefined,
  };
}

/** What the back end calls directly, whatever its own namespace is called. */
function withoutProxy(clusterDomain: string): string {
  const names = [
    "localhost",
    "127.0.0.1",
    `.svc.${clusterDomain}`,
    "kubernetes.default.svc",
    "minio-service.kubeflow",
    "metadata-grpc-service",
    "metadata-grpc-service.kubeflow",
    "ml-pipeline.kubeflow",
  ];
  return names.join(",");
}
