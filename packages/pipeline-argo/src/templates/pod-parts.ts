import type { ArgoContainer, ArgoMetadata, ArgoTemplate } from "../argo-workflow.js";
import type { Settings } from "../options/settings.js";
import type { Json, JsonObject } from "../text/json.js";

/** A volume and where a container sees it. */
export interface MountedVolume {
  readonly volume: JsonObject;
  readonly mount: { readonly name: string; readonly mountPath: string };
}

/** The lists in a pod and in its container; nothing when there are no volumes. */
export function mounted(volumes: readonly MountedVolume[]): {
  readonly pod: Pick<ArgoTemplate, "volumes">;
  readonly container: Pick<ArgoContainer, "volumeMounts">;
} {
  if (volumes.length === 0) return { pod: {}, container: {} };
  return {
    pod: { volumes: volumes.map(({ volume }) => volume) },
    container: { volumeMounts: volumes.map(({ mount }) => mount) },
  };
}

/** An empty folder. */
export function emptyFolder(name: string, mountPath: string): MountedVolume {
  return { volume: { name, emptyDir: {} }, mount: { name, mountPath } };
}

/** The folder that the tasks of a run share. */
export function workspaceFolder(): MountedVolume {
  const name = "kfp-workspace";
  const persistentVolumeClaim = { claimName: `{{workflow.name}}-${name}` };
  return { volume: { name, persistentVolumeClaim }, mount: { name, mountPath: "/kfp-workspace" } };
}

/** Where containers find the certificates. */
const certificates = "/kfp/certs";

/** The path of the certificates; empty when the host names none. */
export function certificatePath({ caBundle }: Settings): string {
  return caBundle === undefined ? "" : `${certificates}/ca.crt`;
}

/** The volume with certificates, when the host names one. */
export function certificateFolder({ caBundle }: Settings): MountedVolume[] {
  if (caBundle === undefined) return [];
  const name = "custom-ca";
  const { secretName, configMapName, key = "ca.crt" } = caBundle;
  const items = [{ key, path: "ca.crt" }];
  const source = secretName
    ? { secret: { secretName, items } }
    : { configMap: { name: configMapName, items } };
  return [{ volume: { name, ...source }, mount: { name, mountPath: certificates } }];
}

/** The variables in which a container finds the name and the number of its pod. */
export function podVariables(): JsonObject[] {
  const from = (fieldPath: string) => ({ fieldRef: { fieldPath } });
  return [
    { name: "KFP_POD_NAME", valueFrom: from("metadata.name") },
    { name: "KFP_POD_UID", valueFrom: from("metadata.uid") },
  ];
}

/** The address of the metadata store, for clusters that keep it in a config map. */
export function metadataVariables(): JsonObject[] {
  return [{ configMapRef: { name: "metadata-grpc-configmap", optional: true } }];
}

/** Variables of a proxy, in both spellings that programs look for. */
export function proxyVariables({ httpProxy, httpsProxy, noProxy }: Settings): JsonObject[] {
  const values = { http_proxy: httpProxy, https_proxy: httpsProxy, no_proxy: noProxy };
  return Object.entries(values).flatMap(([name, value]) =>
    value === ""
      ? []
      : [
          { name, value },
          { name: name.toUpperCase(), value },
        ],
  );
}

/** What a container may do: nothing beyond its program. */
export function restrictedContainer(runAsNonRoot: { readonly runAsNonRoot?: boolean }): {
  readonly [name: string]: Json;
} {
  return {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    ...runAsNonRoot,
    seccompProfile: { type: "RuntimeDefault" },
  };
}

/** What the pods of drivers and importers may do. */
export function restrictedPod(): JsonObject {
  return { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } };
}

/** What drivers and importers may use. */
export function driverResources(): JsonObject {
  return { limits: { cpu: "500m", memory: "512Mi" }, requests: { cpu: "100m", memory: "64Mi" } };
}

/** The annotation by which tools tell the pods of the back end from one another. */
export function runtimeRole(role: "driver" | "launcher", { target }: Settings): ArgoMetadata {
  return target.runtimeRole ? { annotations: { "pipelines.kubeflow.org/runtime-role": role } } : {};
}
