import { ownEntry, pointer, type TaskNode } from "@wye/pipeline-spec";
import { type ContainerNode, containers } from "../containers.js";
import { kubernetesSettings } from "../kubernetes-settings.js";
import { wrongAccessModes } from "../kubernetes-values.js";
import { executor, hasPlatform, kubernetes, platform } from "../platform-part.js";
import { parseQuantity } from "../quantity.js";
import { quote } from "../quote.js";
import { type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { suggest } from "../suggest.js";

const workspace = (config: string) => platform(`{pipelineConfig: {workspace: ${config}}}`);

const workspaceInvalid: Rule = {
  id: "workspace-invalid",
  summary: "The workspace has a size, and its claim sets access modes and a storage class at most.",
  reason: "The compiler of the back end refuses the pipeline when a run is created.",
  severity: underKfp("error"),
  examples: {
    wrong: workspace("{size: big}"),
    right: workspace("{size: 10Gi, kubernetes: {pvcSpecPatch: {accessModes: [ReadWriteOnce]}}}"),
  },
  *check(index) {
    const config = kubernetes(index)?.pipelineConfig?.workspace;
    if (config === undefined) return;
    const at = "/platforms/kubernetes/pipelineConfig/workspace";
    if (config.size === "") {
      const sought = [`${at}/size`];
      yield { at, part: "key", message: "the workspace has no size", hint: "add size, such as 10Gi", sought };
    } else if ((parseQuantity(config.size) ?? -1) < 0) {
      yield {
        at: `${at}/size`,
        message: `${quote(config.size)} is not an amount`,
        hint: "write 512Mi or 10Gi",
      };
    }
    const patch = config.kubernetes?.pvcSpecPatch;
    if (patch === undefined) return;
    const path = `${at}/kubernetes/pvcSpecPatch`;
    for (const key of Object.keys(patch)) {
      if (key === "accessModes" || key === "storageClassName") continue;
      const hint = suggest(key, ["accessModes", "storageClassName"]);
      yield {
        at: pointer(path, key),
        part: "key",
        message: `the claim of the workspace has no ${quote(key)}`,
        hint,
      };
    }
    // An empty list is the same as none: what is not given comes from the server's own settings.
    if (Array.isArray(patch.accessModes) && patch.accessModes.length > 0)
      yield* wrongAccessModes(patch.accessModes, `${path}/accessModes`);
    if (patch.storageClassName === "")
      yield { at: `${path}/storageClassName`, message: "the storage class is empty" };
  },
};

const workspacePath = "/kfp-workspace";

const mountConflict: Rule = {
  id: "workspace-mount-conflict",
  summary: "No volume is mounted at the place of the workspace.",
  reason: "The driver fails with `user volume mount conflicts with workspace mount`.",
  severity: underKfp("error"),
  examples: {
    wrong: `
{}
---
platforms:
  kubernetes:
    pipelineConfig: {workspace: {size: 1Gi}}
    deploymentSpec: {executors: {exec-report: {pvcMount: [{mountPath: /kfp-workspace, constant: data}]}}}
`,
    right: executor("{pvcMount: [{mountPath: /data, constant: data}]}"),
  },
  *check(index) {
    if (kubernetes(index)?.pipelineConfig?.workspace === undefined) return;
    for (const { message, path } of index.once(kubernetesSettings).messages) {
      const mounted = "mountPath" in message ? message.mountPath : "";
      if (mounted !== workspacePath && !mounted.startsWith(`${workspacePath}/`)) continue;
      yield {
        at: `${path}/mountPath`,
        message: `the workspace is mounted at ${workspacePath}`,
        hint: "mount it elsewhere",
      };
    }
  },
};

const lifetimes = [
  "resourceTtlOnCompletion",
  "resourceTtlOnSuccess",
  "resourceTtlOnFailure",
  "activeDeadlineSeconds",
] as const;

const lifetimeNegative: Rule = {
  id: "lifetime-negative",
  summary: "Lifetimes and deadlines of a pipeline are not negative.",
  reason: "The SDK refuses such values, and the back end does nothing for them.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong: platform("{pipelineConfig: {resourceTtlOnCompletion: -1}}"),
    right: platform("{pipelineConfig: {resourceTtlOnCompletion: 3600}}"),
  },
  *check(index) {
    const config = kubernetes(index)?.pipelineConfig;
    for (const field of lifetimes) {
      if ((config?.[field] ?? 0) >= 0) continue;
      yield {
        at: `/platforms/kubernetes/pipelineConfig/${field}`,
        message: `${field} cannot be negative`,
        hint: "remove it, or write how many seconds",
      };
    }
  },
};

/** True for the image that makes a claim instead of running. */
const isClaim = ({ spec }: ContainerNode): boolean => spec.image === "argostub/createpvc";

const claimInvalid: Rule = {
  id: "volume-claim-invalid",
  summary: "A task that creates a volume claim gives it access modes and at most one form of name.",
  reason: "The driver fails with `failed to create pvc`.",
  severity: underKfp("error"),
  examples: {
    wrong: `
root: {dag: {tasks: {branch: null, loop: null, claim: {taskInfo: {name: claim}, componentRef: {name: comp-claim}, inputs: {parameters: {size: {runtimeValue: {constant: 1Gi}}}}}}}}
components: {comp-branch: null, comp-loop: null, comp-report: null, comp-claim: {executorLabel: exec-report, inputDefinitions: {parameters: {size: {parameterType: STRING}, access_modes: {parameterType: LIST, isOptional: true}}}}}
deploymentSpec: {executors: {exec-report: {container: {image: argostub/createpvc, command: null}}}}
`,
    right: `
root: {dag: {tasks: {branch: null, loop: null, claim: {taskInfo: {name: claim}, componentRef: {name: comp-claim}, inputs: {parameters: {access_modes: {runtimeValue: {constant: [ReadWriteOnce]}}}}}}}}
components: {comp-branch: null, comp-loop: null, comp-report: null, comp-claim: {executorLabel: exec-report, inputDefinitions: {parameters: {access_modes: {parameterType: LIST}}}}}
deploymentSpec: {executors: {exec-report: {container: {image: argostub/createpvc, command: null}}}}
`,
  },
  *check(index) {
    for (const claim of index.once(containers).filter(isClaim)) {
      for (const task of claim.executor.components.flatMap(({ uses }) => uses)) {
        const isGiven = (name: string) => task.input("parameter", name) !== undefined;
        const at = `${task.path}/inputs/parameters`;
        if (isNamed(task, "pvc_name") && isNamed(task, "pvc_name_suffix")) {
          yield {
            at: `${at}/pvc_name`,
            part: "key",
            message: "only one of pvc_name and pvc_name_suffix can be other than empty",
          };
        }
        yield* wrongClaim(task);
        if (!isGiven("access_modes")) {
          yield {
            at,
            part: "key",
            message: "the volume claim has no access_modes",
            hint: "add access_modes, such as [ReadWriteOnce]",
          };
        }
      }
    }
  },
};

/** True for a constant that is not empty: of other values nothing is known before the run. */
function isNamed(task: TaskNode, name: string): boolean {
  const source = task.input("parameter", name)?.source;
  if (source?.kind !== "constant" || typeof source.value !== "string") return false;
  return source.value !== "" && !source.value.includes("{{");
}

/** What is wrong with the constants that a claim is made of. */
function* wrongClaim(task: TaskNode): Generator<Finding> {
  for (const { name, source } of task.inputs) {
    if (source?.kind !== "constant") continue;
    const { value, at } = source;
    if (name === "access_modes" && Array.isArray(value)) yield* wrongAccessModes(value, at);
    if (typeof value !== "string" || value === "" || value.includes("{{")) continue;
    if (name === "size" && !((parseQuantity(value) ?? -1) > 0)) {
      yield { at, message: `${quote(value)} is not an amount`, hint: "write 5Gi" };
    }
    const form = ownEntry(claimNames, name);
    if (form === undefined || form.test(value)) continue;
    const hint = "use lower-case letters, digits and -";
    yield { at, message: `${quote(value)} cannot be the ${name} of a volume claim`, hint };
  }
}

const claimNames: Readonly<Record<string, RegExp>> = {
  pvc_name: /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/,
  // It comes behind the name of the workflow.
  pvc_name_suffix: /^[-a-z0-9.]{0,251}[a-z0-9]$/,
  storage_class_name: /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/,
  volume_name: /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/,
};

/** Rules about the settings of the whole pipeline on Kubernetes. */
export const workspaceRules: RuleFamily = {
  title: "Workspace, volume claims and lifetimes",
  appliesTo: (index) => hasPlatform(index) || index.once(containers).some(isClaim),
  rules: [workspaceInvalid, mountConflict, claimInvalid, lifetimeNegative],
};
