import type { Json, JsonObject } from "./text/json.js";

/** An Argo Workflow, as plain data. */
export type ArgoWorkflow = {
  readonly apiVersion: "argoproj.io/v1alpha1";
  readonly kind: "Workflow";
  readonly metadata: ArgoMetadata & { readonly generateName: string; readonly namespace?: string };
  readonly spec: ArgoWorkflowSpec;
  readonly status: { readonly startedAt: null; readonly finishedAt: null };
};

/** What a workflow does. A patch of the administrator may add any other field of Argo. */
export type ArgoWorkflowSpec = {
  readonly arguments: { readonly parameters: readonly ArgoParameter[] };
  readonly entrypoint: string;
  readonly podMetadata: ArgoMetadata;
  readonly securityContext: JsonObject;
  readonly serviceAccountName: string;
  /** Absent only when the root of the pipeline is an executor, of which nothing can be run. */
  readonly templates?: readonly ArgoTemplate[];
  readonly volumeClaimTemplates?: readonly JsonObject[];
  readonly ttlStrategy?: { readonly [when: string]: number };
  readonly activeDeadlineSeconds?: number;
};

/** A parameter: declared, with a default, or with a value. */
export type ArgoParameter = {
  readonly name: string;
  readonly value?: string;
  readonly default?: string;
  readonly valueFrom?: { readonly path: string; readonly default?: string };
};

/** Labels and annotations. */
export type ArgoMetadata = {
  readonly annotations?: { readonly [name: string]: string };
  readonly labels?: { readonly [name: string]: string };
};

/** Something that can be run: a container, or a graph of tasks that run other templates. */
export type ArgoTemplate = {
  readonly name: string;
  readonly inputs: { readonly parameters?: readonly ArgoParameter[] };
  readonly outputs: { readonly parameters?: readonly ArgoParameter[] };
  readonly metadata: ArgoMetadata;
  readonly dag?: { readonly tasks: readonly ArgoTask[] };
  readonly container?: ArgoContainer;
  readonly initContainers?: readonly ArgoContainer[];
  readonly volumes?: readonly JsonObject[];
  readonly securityContext?: JsonObject;
  readonly podSpecPatch?: string;
  readonly retryStrategy?: JsonObject;
  readonly parallelism?: number;
};

/** A task of a graph. */
export type ArgoTask = {
  readonly name: string;
  readonly template: string;
  readonly arguments: { readonly parameters: readonly ArgoParameter[] };
  readonly depends?: string;
  readonly when?: string;
  readonly hooks?: { readonly exit: ArgoHook };
  readonly withSequence?: { readonly count: string };
};

/** What runs when a task has ended. */
export type ArgoHook = {
  readonly template: string;
  readonly arguments: { readonly parameters: readonly ArgoParameter[] };
};

/** A container of a pod. */
export type ArgoContainer = {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly JsonObject[];
  readonly envFrom?: readonly JsonObject[];
  readonly resources: JsonObject;
  readonly securityContext: { readonly [name: string]: Json };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
};
