import { describeValue, isObject, pointer } from "@wye/pipeline-spec";
import { objectName } from "../kubernetes-names.js";
import { kubernetesSettings } from "../kubernetes-settings.js";
import { wrongAccessModes } from "../kubernetes-values.js";
import { executor, hasPlatform, kubernetes, platform } from "../platform-part.js";
import { parseQuantity } from "../quantity.js";
import { quote } from "../quote.js";
import { type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { suggest } from "../suggest.js";
import { claimTasks, hasClaimTasks, wrongClaims } from "../volume-claims.js";
import { storageTiny } from "./storage-tiny-rule.js";

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
    } else if (!((parseQuantity(config.size) ?? -1) > 0)) {
      yield {
        at: `${at}/size`,
        message: `${quote(config.size)} is not an amount above zero`,
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
    yield* wrongPatch(patch, path);
  },
};

/** What is wrong with the two fields that a patch may have; null is the same as nothing. */
function* wrongPatch(
  { accessModes, storageClassName }: { readonly [field: string]: unknown },
  path: string,
): Generator<Finding> {
  if (Array.isArray(accessModes)) {
    // An empty list is the same as none: what is not given comes from the server's own settings.
    if (accessModes.length > 0) yield* wrongAccessModes(accessModes, `${path}/accessModes`);
  } else if (accessModes !== undefined && accessModes !== null) {
    const message = `accessModes is a list, not ${describeValue(accessModes)}`;
    yield { at: `${path}/accessModes`, message, hint: "write [ReadWriteOnce]" };
  }
  if (storageClassName === undefined || storageClassName === null) return;
  const at = `${path}/storageClassName`;
  if (storageClassName === "") yield { at, message: "the storage class is empty" };
  else if (typeof storageClassName !== "string") {
    yield { at, message: `a storage class is a text, not ${describeValue(storageClassName)}` };
  } else if (!objectName.test(storageClassName)) {
    const hint = "use lower-case letters, digits and -";
    yield { at, message: `${quote(storageClassName)} cannot be the name of a storage class`, hint };
  }
}

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
  summary: "Lifetimes and deadlines of a pipeline and its tasks are not negative.",
  reason: "The SDK refuses such values, and the back end does nothing for them.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong: platform("{pipelineConfig: {resourceTtlOnCompletion: -1}}"),
    right: platform("{pipelineConfig: {resourceTtlOnCompletion: 3600}}"),
  },
  *check(index) {
    const hint = "remove it, or write how many seconds";
    const config = kubernetes(index)?.pipelineConfig;
    for (const field of lifetimes) {
      if ((config?.[field] ?? 0) >= 0) continue;
      const at = `/platforms/kubernetes/pipelineConfig/${field}`;
      yield { at, message: `${field} cannot be negative`, hint };
    }
    for (const { name, message, path } of index.once(kubernetesSettings).messages) {
      if (name !== "KubernetesExecutorConfig" || !(Number(message.activeDeadlineSeconds) < 0)) continue;
      yield { at: `${path}/activeDeadlineSeconds`, message: "a deadline cannot be negative", hint };
    }
  },
};

/** A task that makes a claim of these inputs. */
const claimExample = (inputs: string) => `
root: {dag: {tasks: {branch: null, loop: null, claim: {taskInfo: {name: claim}, componentRef: {name: comp-claim}, inputs: {parameters: {${inputs}}}}}}}
components: {comp-branch: null, comp-loop: null, comp-report: null, comp-claim: {executorLabel: exec-report, inputDefinitions: {parameters: {size: {parameterType: STRING}, access_modes: {parameterType: LIST, isOptional: true}, annotations: {parameterType: STRUCT, isOptional: true}}}}}
deploymentSpec: {executors: {exec-report: {container: {image: argostub/createpvc, command: null}}}}
`;

const claimInvalid: Rule = {
  id: "volume-claim-invalid",
  summary:
    "A task that creates a volume claim gives it a size, access modes and at most one form of name; one that deletes it names it.",
  reason:
    "The driver fails with `failed to create pvc` or `failed to delete pvc`, or Kubernetes refuses the claim.",
  severity: underKfp("error"),
  examples: {
    wrong: claimExample("size: {runtimeValue: {constant: 1Gi}}"),
    right: claimExample(
      "size: {runtimeValue: {constant: 1Gi}}, access_modes: {runtimeValue: {constant: [ReadWriteOnce]}}",
    ),
  },
  check: wrongClaims,
};

const claimAnnotated: Rule = {
  id: "volume-claim-annotations",
  summary: "A task that creates a volume claim gives it no annotations.",
  reason: "The driver of all released versions ends with a panic when there is one.",
  severity: underKfp("warning"),
  examples: {
    wrong: claimExample(
      "access_modes: {runtimeValue: {constant: [ReadWriteOnce]}}, size: {runtimeValue: {constant: 1Gi}}, annotations: {runtimeValue: {constant: {a: b}}}",
    ),
    right: claimExample(
      "access_modes: {runtimeValue: {constant: [ReadWriteOnce]}}, size: {runtimeValue: {constant: 1Gi}}, annotations: {runtimeValue: {constant: {}}}",
    ),
  },
  *check(index) {
    for (const task of claimTasks(index)) {
      const source = task.input("parameter", "annotations")?.source;
      if (source?.kind !== "constant" || !isObject(source.value)) continue;
      if (Object.keys(source.value).length === 0) continue;
      const message = "the driver of the back end fails with annotations of a volume claim";
      yield { at: source.at, message, hint: "leave them out" };
    }
  },
};

/** Rules about the settings of the whole pipeline on Kubernetes. */
export const workspaceRules: RuleFamily = {
  title: "Workspace, volume claims and lifetimes",
  appliesTo: (index) => hasPlatform(index) || hasClaimTasks(index),
  rules: [workspaceInvalid, storageTiny, mountConflict, claimInvalid, claimAnnotated, lifetimeNegative],
};
