import type { Pipeline } from "./pipeline.js";
import type { Range } from "./problem.js";

/** Finds the value at a JSON pointer, or the key that leads to it. */
export type Locator = (path: string, part: "key" | "value") => Range;

/** In which documents of its file the specifications are, from 0; the platform specification may be in the same one. */
export interface DocumentNumbers {
  readonly spec: number;
  readonly platform: number;
}

/** Beside the pipelines, which stay plain data; gone with them. */
const origins = new WeakMap<object, { readonly locator: Locator; readonly documents: DocumentNumbers }>();

/** Notes how to find what is in a pipeline. */
export function withPlaces(pipeline: Pipeline, locator: Locator, documents: DocumentNumbers): Pipeline {
  origins.set(pipeline, { locator, documents });
  return pipeline;
}

/** The documents that a parsed pipeline was read from. */
export function documentNumbers(pipeline: Pipeline): DocumentNumbers {
  return origins.get(pipeline)?.documents ?? { spec: 0, platform: 0 };
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
  return origins.get(pipeline)?.locator(path, part);
}
