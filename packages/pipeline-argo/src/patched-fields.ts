import { describeValue, didYouMean, isObject, ownEntry } from "@wye/pipeline-spec";

/** What the value of a field has to be, for the back end to read it back in. */
type FieldKind = "text" | "boolean" | "integer" | "object" | "list" | "texts";

/** The fields of the `spec` of a workflow of Argo, each with the kind of its value. */
const fields: Readonly<Record<string, FieldKind>> = {
  activeDeadlineSeconds: "integer",
  affinity: "object",
  archiveLogs: "boolean",
  arguments: "object",
  artifactGC: "object",
  artifactRepositoryRef: "object",
  automountServiceAccountToken: "boolean",
  dnsConfig: "object",
  dnsPolicy: "text",
  entrypoint: "text",
  executor: "object",
  hooks: "object",
  hostAliases: "list",
  hostNetwork: "boolean",
  imagePullSecrets: "list",
  metrics: "object",
  nodeSelector: "texts",
  onExit: "text",
  parallelism: "integer",
  podDisruptionBudget: "object",
  podGC: "object",
  podMetadata: "object",
  podPriority: "integer",
  podPriorityClassName: "text",
  podSpecPatch: "text",
  priority: "integer",
  retryStrategy: "object",
  schedulerName: "text",
  securityContext: "object",
  serviceAccountName: "text",
  shutdown: "text",
  suspend: "boolean",
  synchronization: "object",
  templateDefaults: "object",
  templates: "list",
  tolerations: "list",
  ttlStrategy: "object",
  volumeClaimGC: "object",
  volumeClaimTemplates: "list",
  volumes: "list",
  workflowMetadata: "object",
  workflowTemplateRef: "object",
};

const isText = (value: unknown): boolean => typeof value === "string";

const kinds: {
  readonly [K in FieldKind]: { readonly what: string; readonly holds: (value: unknown) => boolean };
} = {
  text: { what: "a text", holds: isText },
  boolean: { what: "true or false", holds: (value) => typeof value === "boolean" },
  integer: { what: "a whole number", holds: Number.isSafeInteger },
  object: { what: "an object", holds: isObject },
  list: { what: "a list", holds: Array.isArray },
  texts: {
    what: "an object of texts",
    holds: (value) => isObject(value) && Object.values(value).every(isText),
  },
};

/** What is wrong with a field that a patch names, other than with what is inside of it. */
export interface FieldFinding {
  readonly code: "invalid-spec-patch" | "unknown-patch-field";
  readonly message: string;
}

/** Looks at a field of a patch as the back end does that reads the patched workflow back in: what it does not know it leaves out. */
export function checkPatchedField(name: string, value: unknown): FieldFinding | undefined {
  const kind = ownEntry(fields, name);
  if (kind === undefined) {
    const near = didYouMean(name, Object.keys(fields));
    const help = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
    return {
      code: "unknown-patch-field",
      message: `the specification of a workflow has no such field, and the back end leaves it out${help}`,
    };
  }
  const { what, holds } = kinds[kind];
  if (holds(value)) return undefined;
  return {
    code: "invalid-spec-patch",
    message: `the back end takes ${what} there, and no workflow with ${describeValue(value)}`,
  };
}
