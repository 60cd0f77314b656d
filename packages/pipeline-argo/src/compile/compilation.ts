import { type ComponentSpec, type ExecutorSpec, ownEntry, type Pipeline, sha256 } from "@wye/pipeline-spec";
import type { ArgoParameter, ArgoTemplate } from "../argo-workflow.js";
import type { Settings } from "../options/settings.js";
import type { ProblemBook } from "../problems/problem-book.js";
import { quote } from "../problems/quote.js";
import { SourceMap, type TemplateOrigin, type TemplateRole } from "../source-map.js";
import { containerText } from "../templates/container-text.js";
import { type LabelSettings, labelSettings } from "../templates/label-settings.js";
import { workflowParameter } from "../templates/references.js";
import type { ComponentRecord } from "./component-record.js";
import { warnOfLongText } from "./long-text.js";

/** Name of the root where components have names. */
export const rootName = "root";

/** Ends a compilation whose workflow would be larger than the host wants it. */
export class TooLarge extends Error {}

/** A component whose container others may have as well. */
export interface SharedContainer {
  readonly component: ComponentRecord;
  /** Its inputs and outputs as a text, once somebody has asked for it. */
  interface: string | undefined;
}

/** One pipeline on its way to a workflow: what is made of it so far. */
export class Compilation {
  readonly pipeline: Pipeline;
  readonly settings: Settings;
  readonly problems: ProblemBook;
  readonly sources: SourceMap;
  /** Components that the walk has refused: what uses them is not refused for that again. */
  readonly refusedComponents: Set<string> = new Set();
  /** Labels of executors whose settings on Kubernetes have been checked. */
  readonly checkedLabels: Set<string> = new Set();
  /** Where retry policies stand that have been checked. */
  readonly checkedPolicies: Set<string> = new Set();
  /** Where containers and importers stand that use the workspace, by the labels of their executors. */
  readonly workspaceUsers: Map<string, string> = new Map();
  private readonly records = new Map<string, ComponentRecord | undefined>();
  private readonly saved = new Map<string, string>();
  private readonly added = new Map<string, ArgoTemplate>();
  private readonly hashes = new Map<string, string>();
  private readonly firsts = new Map<string, SharedContainer>();
  private readonly labels = new Map<string, LabelSettings | undefined>();
  private size = 0;

  constructor(pipeline: Pipeline, settings: Settings, problems: ProblemBook) {
    this.pipeline = pipeline;
    this.settings = settings;
    this.problems = problems;
    this.sources = new SourceMap(pipeline);
  }

  /** Full name of the pipeline. */
  get pipelineName(): string {
    return this.pipeline.spec.pipelineInfo?.name ?? "";
  }

  /** The parameters of the workflow, in the order in which they were saved. */
  get parameters(): ArgoParameter[] {
    return Array.from(this.saved, ([name, value]) => ({ name, value }));
  }

  /** Their names alone. */
  get parameterNames(): Iterable<string> {
    return this.saved.keys();
  }

  /** What the name of the workflow begins with: the last part of that of the pipeline. */
  get workflowPrefix(): string {
    return `${this.pipelineName.slice(this.pipelineName.lastIndexOf("/") + 1)}-`;
  }

  /** The templates of the workflow, in the order in which they were added. */
  get templates(): ArgoTemplate[] {
    return [...this.added.values()];
  }

  /** The component of a name; undefined when there is none. */
  component(name: string): ComponentRecord | undefined {
    return once(this.records, name, () => this.findComponent(name));
  }

  private findComponent(name: string): ComponentRecord | undefined {
    const spec = ownEntry(this.pipeline.spec.components, name);
    return spec === undefined ? undefined : this.recordOf(name, spec);
  }

  /** A component under the name that it has for the back end. */
  recordOf(name: string, spec: ComponentSpec): ComponentRecord {
    const { implementation } = spec;
    const label = implementation?.$case === "executorLabel" ? implementation.value : "";
    const executor = label === "" ? undefined : ownEntry(this.pipeline.deployment.executors, label);
    const hash = executor === undefined || name === rootName ? undefined : this.containerKey(label, executor);
    return { name, spec, label, executor, key: hash ?? name };
  }

  /** The hash of a container; undefined for other executors. */
  private containerKey(label: string, { spec }: ExecutorSpec): string | undefined {
    if (spec?.$case !== "container") return undefined;
    return once(this.hashes, label, () => sha256(containerText(spec.value)));
  }

  /** Settings of an executor on Kubernetes, read once. */
  settingsOf(label: string): LabelSettings | undefined {
    if (this.pipeline.platform === undefined) return undefined;
    return once(this.labels, label, () => labelSettings(this.pipeline, label));
  }

  /** The component that was the first to come with a container: this one, if there was none. */
  firstOfKey(component: ComponentRecord): SharedContainer {
    return once(this.firsts, component.key, () => ({ component, interface: undefined }));
  }

  /**
   * Saves a text as a parameter of the workflow, unless there is one of that name.
   *
   * @param path  where to tell that it is too long for a driver, if that is still to be told
   */
  save(name: string, text: () => string, path?: string): void {
    if (this.saved.has(name)) return;
    const value = this.counted(text());
    this.saved.set(name, value);
    if (path !== undefined) warnOfLongText(value, path, this.problems);
  }

  /** The reference to a parameter; undefined when nothing was saved under that name. */
  reference(name: string): string | undefined {
    return this.saved.has(name) ? workflowParameter(name) : undefined;
  }

  /** Adds a template; false when there is one of that name, for which the back end gives up. */
  addTemplate(template: ArgoTemplate, origin: TemplateOrigin, context: string): boolean {
    const name = this.counted(template.name);
    if (!this.added.has(name)) {
      this.added.set(name, template);
      this.sources.add(name, origin);
      return true;
    }
    this.problems.add({
      code: "duplicate-template",
      path: origin.from ?? "",
      part: "key",
      message: `the template ${quote(name)} that is made of this is there already`,
      backEnd: `${context}template name=${JSON.stringify(name)}: template already exists`,
    });
    return false;
  }

  /**
   * Makes sure of a template of the back end, for the task at a place. A template of that name that is there already takes its
   * part, even if it is one of the pipeline.
   */
  useSystemTemplate(
    name: string,
    make: () => ArgoTemplate,
    { role, path }: { readonly role: TemplateRole; readonly path: string },
  ): void {
    if (!this.added.has(name)) {
      this.added.set(name, make());
      this.sources.add(name, { role });
    } else if (this.sources.roleOf(name) !== role) {
      const message = `a template of the pipeline, ${quote(name)}, takes the part of one of the back end`;
      this.problems.add({ code: "reserved-template-name", path, part: "key", message });
    }
    this.sources.use(name, path);
  }

  /** Counts a text that goes into the workflow, and ends everything once it is too much. */
  counted(text: string): string {
    this.size += text.length;
    if (this.size > this.settings.maxSize) throw new TooLarge();
    return text;
  }
}

function once<T>(known: Map<string, T>, key: string, compute: () => T): T {
  const value = known.get(key);
  if (value !== undefined || known.has(key)) return value as T;
  const computed = compute();
  known.set(key, computed);
  return computed;
}
