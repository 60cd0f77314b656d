import { checkArguments } from "./check-arguments.js";
import type { Pipeline } from "./pipeline.js";
import type { Places } from "./places.js";
import type { Range } from "./problem.js";

/** Finds the value at a JSON pointer, or the key that leads to it. */
export type Locator = (path: string, part: "key" | "value") => Range;

/** The places of the documents in which the specifications are; the platform specification may be in the same one. */
export interface DocumentPlaces {
  readonly spec: () => Places;
  readonly platform: () => Places;
}

/** Beside the pipelines, which stay plain data; gone with them. */
const origins = new WeakMap<object, { readonly locator: Locator; readonly places: DocumentPlaces }>();

/** Notes how to find what is in a pipeline. */
export function withPlaces(pipeline: Pipeline, locator: Locator, places: DocumentPlaces): Pipeline {
  origins.set(pipeline, { locator, places });
  return pipeline;
}

/** The documents that a parsed pipeline was read from. */
export function placesOf(pipeline: Pipeline): DocumentPlaces | undefined {
  return origins.get(pipeline)?.places;
}

/**
 * Where a part of a parsed file stands: the value at a JSON pointer, or the key that leads to it. Pointers that start with
 * `/platforms` point into the document of the platform specification, all others into the one of the specification,
 * from its root (`specPath` included) or from the specification itself. Names may be in either spelling. Where there
 * is nothing, the nearest enclosing value is given, so that something missing can be reported as well.
 *
 * Only the very `pipeline` (or `partial`) that `parsePipeline` gave has places: for a copy, or one made by hand, the answer is
 * `undefined`.
 */
export function locate(
  pipeline: Pick<Pipeline, "spec">,
  path: string,
  part: "key" | "value" = "value",
): Range | undefined {
  checkArguments("locate", "text", { path });
  if (path !== "" && !path.startsWith("/")) {
    throw new TypeError(`locate takes a JSON pointer, which begins with /, not ${JSON.stringify(path)}`);
  }
  return origins.get(pipeline)?.locator(path, part);
}
