import type { RelatedPlace, ValidationProblem } from "./validation-report.js";

const longestText = 1000;
const longestName = 200;

/**
 * A problem whose texts are of a bounded length, however long the names of the file are: a name in a pointer is cut after 200
 * characters, a message or hint after 1,000, and `…` stands for the rest. Its range is exact all the same.
 */
export function boundedProblem<P extends ValidationProblem>(problem: P): P {
  const { message, hint, path, related } = problem;
  return {
    ...problem,
    message: cut(message, longestText),
    ...(hint === undefined ? {} : { hint: cut(hint, longestText) }),
    path: boundedPointer(path),
    ...(related === undefined ? {} : { related: related.map(boundedPlace) }),
  };
}

/** A pointer whose names are cut when they are too long. */
export function boundedPointer(path: string): string {
  if (path.length <= longestName) return path;
  return path
    .split("/")
    .map((name) => cut(name, longestName))
    .join("/");
}

const boundedPlace = (place: RelatedPlace): RelatedPlace => ({
  ...place,
  message: cut(place.message, longestText),
  path: boundedPointer(place.path),
});

/** Half a character is worse than one less. */
const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…`;
