import type { Pipeline } from "@wye/pipeline-spec";
import { placeOf, type SourcePlace } from "./problems/problem-book.js";

/** What a template of a workflow is for. */
export type TemplateRole =
  | "entrypoint"
  | "dag"
  | "loop"
  | "iteration"
  | "exit-hook"
  | "driver"
  | "executor"
  | "importer";

/** Where a template of a workflow comes from. */
export interface TemplateSource {
  readonly template: string;
  readonly role: TemplateRole;
  /**
   * The component of a `dag` and of the `entrypoint`, the task of a `loop`, an `iteration` and an `exit-hook`; for the templates
   * that the back end adds to every workflow, the tasks that run through them.
   */
  readonly from: readonly SourcePlace[];
  /** The task of the pipeline from which each task of the template comes; none for the templates of the back end. */
  readonly tasks: readonly TaskSource[];
}

/** Where a task of a template comes from. */
export interface TaskSource extends SourcePlace {
  /** Name of the task in its template. */
  readonly name: string;
}

/** What a template is made from, as pointers into the specification. */
export interface TemplateOrigin {
  readonly role: TemplateRole;
  readonly from?: string;
  readonly tasks?: readonly { readonly name: string; readonly path: string }[];
}

interface Entry extends Omit<TemplateOrigin, "from"> {
  readonly from: string[];
}

/** Notes for each template what of the pipeline it comes from. */
export class SourceMap {
  private readonly pipeline: Pipeline;
  private readonly entries = new Map<string, Entry>();
  private readonly places = new Map<string, SourcePlace>();

  constructor(pipeline: Pipeline) {
    this.pipeline = pipeline;
  }

  add(template: string, { from, ...origin }: TemplateOrigin): void {
    this.entries.set(template, { ...origin, from: from === undefined ? [] : [from] });
  }

  /** What a template is made from; `from` is the first of those that it is made from. */
  originOf(template: string): TemplateOrigin | undefined {
    const entry = this.entries.get(template);
    if (entry === undefined) return undefined;
    const { from, ...origin } = entry;
    return { ...origin, from: from[0] ?? "" };
  }

  roleOf(template: string): TemplateRole | undefined {
    return this.entries.get(template)?.role;
  }

  /** Notes that a task of the pipeline runs through a template. */
  use(template: string, path: string): void {
    const from = this.entries.get(template)?.from;
    // A task asks for a template several times in a row.
    if (from !== undefined && from.at(-1) !== path) from.push(path);
  }

  /** All of it, in the order of the templates. */
  listed(): TemplateSource[] {
    return Array.from(this.entries, ([template, { role, from, tasks = [] }]) => ({
      template,
      role,
      from: from.map((path) => this.place(path)),
      tasks: tasks.map(({ name, path }) => ({ name, ...this.place(path) })),
    }));
  }

  private place(path: string): SourcePlace {
    let place = this.places.get(path);
    if (place === undefined) {
      place = placeOf(this.pipeline, path, "key");
      this.places.set(path, place);
    }
    return place;
  }
}
