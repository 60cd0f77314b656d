import { locate, type Pipeline, type ProblemCounts, ProblemList, type Range } from "@wye/pipeline-spec";
import type { ArgoProblem } from "./argo-problem.js";
import { type ArgoProblemCode, problemTable } from "./problem-table.js";

/** A problem as it is found. */
export interface Finding {
  readonly code: ArgoProblemCode;
  /** What it is about: a pointer into the specification, or one that begins with `/platforms` or `/runtimeConfig`. */
  readonly path: string;
  /** Whether the key at that place is meant, rather than the value. */
  readonly part?: "key" | "value";
  readonly message: string;
  readonly hint?: string;
  readonly backEnd?: string;
}

/** A place in the file: a pointer from the root of its document, and the lines, where they are known. */
export interface SourcePlace {
  readonly path: string;
  readonly range?: Range;
}

/** The place of what a pointer into the specification, or one that begins with `/platforms` or `/runtimeConfig`, leads to. */
export function placeOf(pipeline: Pipeline, path: string, part: "key" | "value"): SourcePlace {
  const { specPath, platformPath } = pipeline;
  // What a run is started with stands beside the specification, in a file that is a run.
  const base = path.startsWith("/runtimeConfig") ? "" : specPath;
  const whole = `${path.startsWith("/platforms") ? platformPath : base}${path}`;
  const range = locate(pipeline, whole, part);
  return range === undefined ? { path: whole } : { path: whole, range };
}

/** Collects the problems of one compilation, with the places at which they stand in the file. */
export class ProblemBook {
  private readonly pipeline: Pipeline;
  private readonly list: ProblemList<ArgoProblem>;

  constructor(pipeline: Pipeline, maxProblems: number) {
    this.pipeline = pipeline;
    this.list = new ProblemList(maxProblems);
  }

  /** True once something is found for which the back end refuses the pipeline. */
  get refused(): boolean {
    return this.list.counts.error > 0;
  }

  get counts(): ProblemCounts {
    return { ...this.list.counts };
  }

  /** Those that are listed: errors first, each kind in the order in which the back end comes to them. */
  listed(): ArgoProblem[] {
    const remark = this.list.remark();
    const { hint } = problemTable["too-many-problems"];
    const rest: ArgoProblem[] = remark === undefined ? [] : [{ ...remark, code: "too-many-problems", hint }];
    return [...this.list.listed(), ...rest];
  }

  add({ code, path, part = "value", message, hint, backEnd }: Finding): void {
    const { severity, hint: usual } = problemTable[code];
    this.list.add(severity, () => ({
      ...{ code, severity, message, hint: hint ?? usual },
      ...boundedPlace(placeOf(this.pipeline, path, part)),
      ...(backEnd === undefined ? {} : { backEnd: cut(backEnd, longestText) }),
    }));
  }
}

const longestName = 200;
const longestText = 1000;

/** However long names are, a problem is short: in a pointer a name is cut after 200 characters. */
function boundedPlace(place: SourcePlace): SourcePlace {
  if (place.path.length <= longestName) return place;
  const names = place.path.split("/").map((name) => cut(name, longestName));
  return { ...place, path: names.join("/") };
}

/** Half a character is worse than one less. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
