import type { Pipeline, Problem } from "@wye/pipeline-spec";
import type { ValidationProblem } from "./validation-report.js";

/**
 * Leaves out problems that follow from errors of form: what could not be read is missing where rules look for it. A part
 * of the file with such an error is one component, task, executor or document; what is about it or relates to it waits.
 */
export function* hideFollowUps(
  structural: readonly Problem[],
  { specPath }: Pick<Pipeline, "specPath">,
  found: Iterable<ValidationProblem>,
): Generator<ValidationProblem> {
  const parts = structural
    .filter(({ severity }) => severity === "error")
    .map(({ path }) => part(path.startsWith(specPath) ? path.slice(specPath.length) : path));
  if (parts.includes("")) return;
  const isTainted = (path: string): boolean => {
    const own = path.startsWith(specPath) ? path.slice(specPath.length) : path;
    return parts.some((one) => own === one || own.startsWith(`${one}/`) || one.startsWith(`${own}/`));
  };
  for (const problem of found) {
    if (parts.length > 0) {
      if (isTainted(problem.path) || problem.related?.some(({ path }) => isTainted(path))) continue;
      // Nothing can be said to be unused while some uses cannot be read.
      if (problem.code.endsWith("-unused")) continue;
    }
    yield problem;
  }
}

/** The part of a specification that a pointer leads into; empty when it is all of it. */
function part(path: string): string {
  const names = path.split("/");
  switch (names[1]) {
    case "components":
      return names.length > 3 ? names.slice(0, 3).join("/") : "";
    case "deploymentSpec":
      return names.length > 4 ? names.slice(0, 4).join("/") : "";
    case "root":
      return names[3] === "tasks" && names.length > 5
        ? names.slice(0, 5).join("/")
        : names.length > 3
          ? "/root"
          : "";
    case "platforms":
    case "pipelineInfo":
    case "runtimeConfig":
      return `/${names[1]}`;
    default:
      return "";
  }
}
