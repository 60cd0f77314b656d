import {
  checkArguments,
  checkOptions,
  configFromFile,
  isObject,
  type KnownOptions,
  type Pipeline,
} from "@wye/pipeline-spec";
import type { ArgoTemplate, ArgoWorkflow } from "./argo-workflow.js";
import type { ArgoOptions } from "./options/argo-options.js";
import { isLabelValue, isNamespace } from "./problems/kubernetes-names.js";
import type { Finding } from "./problems/problem-book.js";
import { quote } from "./problems/quote.js";
import { formatGo, formatStrftime } from "./text/format-time.js";
import { type ArgoResult, exportWorkflow } from "./to-argo-workflow.js";

/** A run as the API server makes it. */
export interface ArgoRun {
  readonly id: string;
  readonly displayName: string;
  /** When it is made. */
  readonly createdAt: Date;
  readonly namespace?: string;
  readonly serviceAccountName?: string;
  /** Arguments by name, beside and over those of a file that is a run or a job; texts in them may ask for the id and the time of the run, such as `[[RunUUID]]` and `[[CurrentTime]]`. */
  readonly parameters?: { readonly [name: string]: unknown };
  readonly pipelineRoot?: string;
}

const known: KnownOptions<ArgoRun> = {
  id: "text",
  displayName: "text",
  createdAt: "any",
  namespace: "text",
  serviceAccountName: "text",
  parameters: "any",
  pipelineRoot: "text",
};

/**
 * The workflow that the API server creates for a run of a pipeline: the compiled one, with the arguments of the run, labels by
 * which the back end finds the run again, and its id in place of that of the workflow. Whether the arguments suit the pipeline is
 * for `validateRuntimeConfig` of `@wye/pipeline-validator` to say.
 *
 * @throws TypeError for runs and options that there are not, or that cannot have such values
 */
export function toSubmittedWorkflow(pipeline: Pipeline, run: ArgoRun, options: ArgoOptions = {}): ArgoResult {
  checkOptions("the run of toSubmittedWorkflow", run, known);
  checkArguments("toSubmittedWorkflow", "text", { "run.id": run.id, "run.displayName": run.displayName });
  if (run.id === "") throw new TypeError("toSubmittedWorkflow takes a run.id that is not empty");
  if (!(run.createdAt instanceof Date) || Number.isNaN(run.createdAt.getTime())) {
    throw new TypeError("toSubmittedWorkflow takes a Date as its run.createdAt");
  }
  const { parameters = {}, displayName, serviceAccountName } = run;
  checkArguments("toSubmittedWorkflow", "object", { "run.parameters": parameters });
  const said = configFromFile(pipeline);
  const parameterValues = Object.fromEntries(
    Object.entries({ ...said.parameterValues, ...parameters }).map(([name, value]) => [
      name,
      expandMacros(value, run),
    ]),
  );
  const pipelineRoot = run.pipelineRoot ?? (said.gcsOutputDirectory || undefined);
  const given = {
    ...options,
    displayName,
    runtimeConfig: { parameterValues },
    ...(pipelineRoot === undefined ? {} : { pipelineRoot }),
    ...(serviceAccountName === undefined ? {} : { serviceAccountName }),
  };
  const result = exportWorkflow(pipeline, given, [...findingsOfRun(run)]);
  return result.ok ? { ...result, workflow: submitted(result.workflow, run) } : result;
}

/** What Kubernetes refuses of a run: its id becomes a label. */
function* findingsOfRun({ id, namespace }: ArgoRun): Generator<Finding> {
  if (!isLabelValue(id) || id.includes("{{"))
    yield { code: "kubernetes-label", path: "", message: `run.id: ${quote(id)} is no value of a label` };
  if (namespace !== undefined && !isNamespace(namespace))
    yield { code: "kubernetes-name", path: "", message: `run.namespace: ${quote(namespace)} is no name` };
}

/** A text with what it asks for; anything else as it is. What belongs to recurring runs stays. */
function expandMacros(value: unknown, { id, createdAt }: ArgoRun): unknown {
  if (typeof value !== "string") return value;
  return value
    .replaceAll("[[RunUUID]]", () => id)
    .replaceAll("[[CurrentTime]]", formatGo(createdAt, "20060102150405"))
    .replace(/\[\[CurrentTime\.([^[\]]*)\]\]/g, (_, layout: string) => formatGo(createdAt, layout))
    .replace(/\{\{\$\.currentTime\.strftime\('([^']*)'\)\}\}/g, (_, format: string) =>
      formatStrftime(createdAt, format),
    );
}

function submitted(workflow: ArgoWorkflow, { id, displayName, namespace }: ArgoRun): ArgoWorkflow {
  const { metadata, spec } = workflow;
  const { podMetadata, templates } = spec;
  const changed: ArgoWorkflow = {
    ...workflow,
    metadata: {
      ...metadata,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { "pipeline/runid": id },
      annotations: { "pipelines.kubeflow.org/run_name": displayName },
    },
    spec: {
      ...spec,
      podMetadata: { ...podMetadata, labels: { ...podMetadata.labels, "pipeline/runid": id } },
      ...(templates === undefined ? {} : { templates: templates.map(withoutSidecar) }),
    },
  };
  // Nothing but texts changes.
  return replaced(changed, "{{workflow.uid}}", id) as ArgoWorkflow;
}

/** Pods of the back end do without the proxy of a service mesh. */
function withoutSidecar(template: ArgoTemplate): ArgoTemplate {
  const { metadata } = template;
  const annotations = { "sidecar.istio.io/inject": "false", ...metadata.annotations };
  return { ...template, metadata: { ...metadata, annotations } };
}

function replaced(value: unknown, what: string, by: string): unknown {
  if (typeof value === "string") return value.replaceAll(what, () => by);
  if (Array.isArray(value)) return value.map((item) => replaced(item, what, by));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, what, by)]));
}
