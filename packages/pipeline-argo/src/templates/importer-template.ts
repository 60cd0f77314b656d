import type { ArgoTemplate } from "../argo-workflow.js";
import type { Settings } from "../options/settings.js";
import {
  certificateFolder,
  driverResources,
  metadataVariables,
  mounted,
  podVariables,
  restrictedContainer,
  restrictedPod,
  runtimeRole,
  workspaceFolder,
} from "./pod-parts.js";
import { input } from "./references.js";
import { switches } from "./switches.js";

/** Name of the template whose pods import an artifact, with the folder of the run or without. */
export function importerName(workspace: boolean): string {
  return workspace ? "system-importer-workspace" : "system-importer";
}

/** The template whose pods import an artifact. */
export function importer(workspace: boolean, pipelineName: string, settings: Settings): ArgoTemplate {
  const folders = mounted([...(workspace ? [workspaceFolder()] : []), ...certificateFolder(settings)]);
  return {
    name: importerName(workspace),
    inputs: { parameters: ["task", "component", "importer", "parent-dag-id"].map((name) => ({ name })) },
    outputs: {},
    metadata: runtimeRole("launcher", settings),
    container: {
      name: "",
      image: settings.launcherImage,
      command: [...settings.launcherCommand],
      args: importerArguments(pipelineName, settings),
      env: podVariables(),
      envFrom: metadataVariables(),
      resources: driverResources(),
      securityContext: restrictedContainer({ runAsNonRoot: true }),
      ...folders.container,
    },
    securityContext: restrictedPod(),
    ...folders.pod,
  };
}

function importerArguments(pipelineName: string, settings: Settings): string[] {
  const values = {
    executor_type: "importer",
    task_spec: input("task"),
    component_spec: input("component"),
    importer_spec: input("importer"),
    pipeline_name: pipelineName,
    run_id: "{{workflow.uid}}",
    parent_dag_id: input("parent-dag-id"),
    pod_name: "$(KFP_POD_NAME)",
    pod_uid: "$(KFP_POD_UID)",
    mlmd_server_address: settings.metadataAddress,
    mlmd_server_port: "8080",
  };
  return [
    ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]),
    ...switches(settings, "cache", "tls", "logs"),
  ];
}
