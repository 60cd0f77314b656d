import { stringify } from "yaml";
import { type ValidationProblem, validatePipeline } from "../../src/index.js";
import { applyEdits, type Document, type Path } from "./document.js";
import type { Mutation } from "./mutation-kinds.js";

/** How a mutant fared: a word that says what went wrong, or undefined. */
export interface Verdict {
  /** Undefined when it was found where it is, without much ado. */
  readonly failure: "survived" | "elsewhere" | "noisy" | undefined;
  readonly problems: readonly ValidationProblem[];
}

/** Most errors besides those at the mistake and the places of use. */
const mostFollowUps = 3;

/**
 * Validates a mutant, and checks that it is reported at the mistake or a place of use, without many others: as an error, or as
 * a warning and without an error where the back end runs the file; as either where it may.
 */
export function judge(
  document: Document,
  { edits, places, mayRun = false }: Mutation,
  severity: "error" | "warning",
): Verdict {
  const mutant = applyEdits(document, edits);
  const { problems } = validatePipeline(textOf(mutant));
  const errors = problems.filter((problem) => problem.severity === "error");
  const reported = problems.filter(
    (problem) => problem.severity === severity || (mayRun && problem.severity === "warning"),
  );
  if (reported.length === 0) return { failure: "survived", problems };
  const pointers = places.map(pointerOf);
  const isPlace = ({ path, range, related = [] }: ValidationProblem): boolean => {
    const where = [path, ...related.map((place) => place.path)];
    return range !== undefined && where.some((one) => pointers.some((pointer) => isNear(one, pointer)));
  };
  if (!reported.some(isPlace)) return { failure: severity === "error" ? "elsewhere" : "survived", problems };
  const followUps = severity === "error" ? errors.filter((problem) => !isPlace(problem)) : errors;
  if (severity === "warning") return { failure: errors.length > 0 ? "noisy" : undefined, problems };
  return { failure: followUps.length > mostFollowUps ? "noisy" : undefined, problems };
}

/** The text of a document: JSON when it has one part, which is fast, and YAML when it has two. */
function textOf({ platforms, ...spec }: Document): string {
  if (platforms === undefined) return JSON.stringify(spec);
  return `${stringify(spec)}---\n${stringify({ platforms })}`;
}

const pointerOf = (path: Path): string =>
  path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The same place, one below it, or what directly encloses it. */
function isNear(path: string, place: string): boolean {
  if (path === place || path.startsWith(`${place}/`)) return true;
  if (!place.startsWith(`${path}/`) && path !== "") return false;
  return place.slice(path.length).split("/").length - 1 <= (path === "" ? 1 : 2);
}
