import type { Problem } from "@wye/pipeline-spec";
import type { GraphTask } from "./pipeline-graph.js";

/** What is to be known of a problem to count it. */
export type CountedProblem = Pick<Problem, "path" | "severity">;

/** How many problems there are of each severity. */
export type ProblemCounts = Readonly<Record<Problem["severity"], number>>;

/** Knows which problems stand in a part of the specification. */
export class ProblemCounter {
  private readonly byPlace = new Map<string, Set<CountedProblem>>();
  private readonly ofTask = new Map<string, ReadonlySet<CountedProblem>>();

  constructor(
    problems: readonly CountedProblem[],
    document: { readonly specPath: string; readonly platformPath: string },
  ) {
    for (const problem of problems) {
      const place = placeOf(problem.path, [document.specPath, document.platformPath]);
      if (place === undefined) continue;
      const known = this.byPlace.get(place) ?? new Set();
      this.byPlace.set(place, known.add(problem));
    }
  }

  /** Counts what stands at the places of a task and in the tasks inside, which were counted before; each problem once. */
  count(id: string, places: readonly string[], inside: readonly GraphTask[]): ProblemCounts {
    const found = new Set<CountedProblem>();
    for (const place of places) for (const problem of this.byPlace.get(place) ?? []) found.add(problem);
    for (const task of inside) for (const problem of this.ofTask.get(task.id) ?? []) found.add(problem);
    this.ofTask.set(id, found);
    const counts = { error: 0, warning: 0, info: 0 };
    for (const { severity } of found) counts[severity]++;
    return counts;
  }
}

/** The task, component or executor that a pointer leads into. */
function placeOf(pointer: string, prefixes: readonly string[]): string | undefined {
  const prefix = prefixes.find((one) => one !== "" && pointer.startsWith(`${one}/`)) ?? "";
  const inSpec = pointer.slice(prefix.length).replace("/deployment_spec/", "/deploymentSpec/");
  return /^\/(?:root|components\/[^/]*)\/dag\/tasks\/[^/]*|^\/components\/[^/]*|\/deploymentSpec\/executors\/[^/]*/.exec(
    inSpec,
  )?.[0];
}
