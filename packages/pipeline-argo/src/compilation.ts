import {
  type ComponentSpec,
  type ExecutorSettings,
  type ExecutorSpec,
  executorSettings,
  ownEntry,
  type Pipeline,
} from "@wye/pipeline-spec";
import type { ArgoParameter, ArgoTemplate } from "./argo-workflow.js";
import { containerHash } from "./container-hash.js";
import { jsonText } from "./json-text.js";
import type { ProblemBook } from "./problem-book.js";
import { workflowParameter } from "./references.js";
import type { Settings } from "./settings.js";
import { SourceMap, type TemplateOrigin, type TemplateRole } from "./source-map.js";

/** Name of the root where components have names. */
export const rootName = "root";

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
  private readonly saved = new Map<string, string>();
  private readonly added = new Map<string, ArgoTemplate>();
  private readonly keys = new Map<string, string>();
  private readonly executorSettingsByLabel = new Map<string, ExecutorSettings | undefined>();

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

  /** The templates of the workflow, in the order in which they were added. */
  get templates(): ArgoTemplate[] {
    return [...this.added.values()];
  }

  /** Characters of the texts of the pipeline in the workflow. */
  size = 0;

  component(name: string): ComponentSpec | undefined {
    return ownEntry(this.pipeline.spec.components, name);
  }

  executor(label: string): ExecutorSpec | undefined {
    return ownEntry(this.pipeline.deployment.executors, label);
  }

  /** Settings on Kubernetes, each read once. */
  settingsOf(label: string): ExecutorSettings | undefined {
    const known = this.executorSettingsByLabel.get(label);
    if (known !== undefined || this.executorSettingsByLabel.has(label)) return known;
    const settings = executorSettings(this.pipeline.platform, label);
    this.executorSettingsByLabel.set(label, settings);
    return settings;
  }

  /** What stands for a component in the names of parameters: equal containers share theirs. */
  keyOf(name: string): string {
    const known = this.keys.get(name);
    if (known !== undefined) return known;
    const key = this.computeKey(name);
    this.keys.set(name, key);
    return key;
  }

  private computeKey(name: string): string {
    const implementation = name === rootName ? undefined : this.component(name)?.implementation;
    if (implementation?.$case !== "executorLabel") return name;
    const spec = this.executor(implementation.value)?.spec;
    return spec?.$case === "container" ? containerHash(spec.value) : name;
  }

  /** Saves a JSON value as a parameter of the workflow, unless there is one of that name. */
  save(name: string, json: () => unknown): void {
    if (this.saved.has(name)) return;
    const text = jsonText(json());
    this.saved.set(name, text);
    this.size += text.length;
  }

  /** The reference to a parameter; undefined when nothing was saved under that name. */
  reference(name: string): string | undefined {
    return this.saved.has(name) ? workflowParameter(name) : undefined;
  }

  /** Adds a template; false when there is one of that name, for which the back end gives up. */
  addTemplate(template: ArgoTemplate, origin: TemplateOrigin, context: string): boolean {
    const { name } = template;
    if (!this.added.has(name)) {
      this.added.set(name, template);
      this.sources.add(name, origin);
      return true;
    }
    this.problems.add({
      code: "duplicate-template",
      path: origin.from ?? "",
      part: "key",
      message: `the template ${JSON.stringify(name)} that is made of this is there already`,
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
    }
    this.sources.use(name, path);
  }

  /** Counts a text that goes into the workflow. */
  counted(text: string): string {
    this.size += text.length;
    return text;
  }
}
