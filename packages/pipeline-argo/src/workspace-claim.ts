import { describeValue, isObject, type WorkspaceConfig } from "@wye/pipeline-spec";
import type { Compilation } from "./compile/compilation.js";
import { isObjectName } from "./problems/kubernetes-names.js";
import type { Finding } from "./problems/problem-book.js";
import { quote } from "./problems/quote.js";
import { sortedEntries } from "./text/byte-order.js";
import type { Json, JsonObject } from "./text/json.js";
import { canonicalQuantity, isNegative, isZero } from "./text/quantity.js";

const path = "/platforms/kubernetes/pipelineConfig/workspace";
/** What the claim is called in the workflow. */
export const claimName = "kfp-workspace";
const quantityPattern = "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** The claim of the volume that the tasks of a run share; undefined when there is none. */
export function workspaceClaim(
  workspace: WorkspaceConfig | undefined,
  { settings, problems }: Compilation,
): JsonObject | undefined {
  if (workspace === undefined) return undefined;
  if (workspace.kubernetes === undefined) {
    const message = "the workspace has no effect without kubernetes: the back end makes no claim";
    const hint = "add kubernetes: {pvcSpecPatch: {accessModes: [ReadWriteOnce]}}";
    problems.add({ code: "ignored-setting", path, part: "key", message, hint });
    return undefined;
  }
  const patch = workspace.kubernetes.pvcSpecPatch ?? {};
  const base = structuredClone(settings.options.defaultWorkspace ?? {});
  const refusals = [
    ...sizePresent(workspace.size),
    ...unknownFields(patch),
    ...accessModes(patch, base),
    ...storageClass(patch),
    ...sizeReadable(workspace.size),
  ];
  for (const refusal of refusals) problems.add(refusal);
  if (refusals.length > 0) return undefined;
  for (const finding of claimFindings(patch, workspace.size)) problems.add(finding);
  return { metadata: { name: claimName }, spec: claimSpec(base, patch, workspace.size), status: {} };
}

const knownModes = new Set<unknown>(["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"]);

/** What the back end takes for the claim, and Kubernetes refuses. */
function* claimFindings(patch: Readonly<Record<string, unknown>>, size: string): Generator<Finding> {
  const code = "workspace-claim";
  if (isZero(size)) yield { code, path: `${path}/size`, message: `${quote(size)} is no amount above zero` };
  const { accessModes, storageClassName } = patch;
  const modes: readonly unknown[] = Array.isArray(accessModes) ? accessModes : [];
  const mode = modes.find((one) => !knownModes.has(one));
  if (mode !== undefined) {
    const message = `there is no access mode ${quote(String(mode))}`;
    yield { code, path: `${path}/kubernetes/pvcSpecPatch/accessModes`, message };
  }
  if (typeof storageClassName === "string" && !isObjectName(storageClassName)) {
    const message = `${quote(storageClassName)} is no name`;
    yield { code, path: `${path}/kubernetes/pvcSpecPatch/storageClassName`, message };
  }
}

function* sizePresent(size: string): Generator<Finding> {
  if (size !== "") return;
  const message = "a workspace has a size";
  yield { code: "workspace-size", path, message, backEnd: "workspace size is required but not specified" };
}

function* unknownFields(patch: Readonly<Record<string, unknown>>): Generator<Finding> {
  const names = Object.keys(patch).filter((name) => name !== "accessModes" && name !== "storageClassName");
  for (const name of names) {
    yield {
      code: "workspace-patch",
      path: `${path}/kubernetes/pvcSpecPatch/${name}`,
      part: "key",
      message: `pvcSpecPatch cannot set ${quote(name)}`,
      backEnd: `unknown fields in PVC spec patch: [${names.join(" ")}]`,
    };
  }
}

function* accessModes(patch: Readonly<Record<string, unknown>>, base: JsonObject): Generator<Finding> {
  const at = `${path}/kubernetes/pvcSpecPatch/accessModes`;
  const own = patch.accessModes ?? [];
  if (!Array.isArray(own) || !own.every((mode) => typeof mode === "string")) {
    const message = `accessModes is a list of texts, not ${describeValue(own)}`;
    yield { code: "workspace-access-modes", path: at, message };
  } else if (own.length === 0 && !(Array.isArray(base.accessModes) && base.accessModes.length > 0)) {
    const message = "a workspace has access modes";
    yield {
      code: "workspace-access-modes",
      path: at,
      message,
      backEnd: "workspace PVC spec must specify accessModes",
    };
  }
}

function* storageClass({ storageClassName }: Readonly<Record<string, unknown>>): Generator<Finding> {
  const at = `${path}/kubernetes/pvcSpecPatch/storageClassName`;
  if (storageClassName === "") {
    yield {
      code: "workspace-storage-class",
      path: at,
      message: "a storage class has a name",
      backEnd: "workspace PVC spec storageClassName must be omitted or set to a non-empty value",
    };
  } else if (
    storageClassName !== undefined &&
    storageClassName !== null &&
    typeof storageClassName !== "string"
  ) {
    const message = `storageClassName is a text, not ${describeValue(storageClassName)}`;
    yield { code: "workspace-storage-class", path: at, message };
  }
}

function* sizeReadable(size: string): Generator<Finding> {
  if (size === "") return;
  const at = `${path}/size`;
  if (canonicalQuantity(size) === undefined) {
    const message = `${quote(size)} is not a quantity of Kubernetes`;
    const backEnd = `invalid size value for workspace PVC: quantities must match the regular expression ${quantityPattern}`;
    yield { code: "workspace-size", path: at, message, backEnd };
  } else if (isNegative(size)) {
    const message = `the size ${quote(size)} is negative`;
    yield {
      code: "workspace-size",
      path: at,
      message,
      backEnd: `negative size value for workspace PVC: ${size}`,
    };
  }
}

function claimSpec(base: JsonObject, patch: Readonly<Record<string, unknown>>, size: string): JsonObject {
  const resources = isObject(base.resources) ? base.resources : {};
  const requests = { ...amounts(resources.requests), storage: canonicalQuantity(size) ?? size };
  const { accessModes, storageClassName } = patch;
  return {
    ...base,
    ...(Array.isArray(accessModes) && accessModes.length > 0 ? { accessModes: accessModes.map(String) } : {}),
    ...(typeof storageClassName === "string" ? { storageClassName } : {}),
    resources: {
      ...(resources.limits === undefined ? {} : { limits: amounts(resources.limits) }),
      requests,
    },
  };
}

/** The quantities of a map, as Kubernetes prints them. */
function amounts(map: unknown): { readonly [name: string]: Json } {
  const entries = isObject(map) ? sortedEntries(map) : [];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, canonicalQuantity(String(value)) ?? String(value)]),
  );
}
