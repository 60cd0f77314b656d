import manifest from "../package.json" with { type: "json" };

/** The version of this package. */
export const version: string = manifest.version;

/** The version of the evaluator, released together with this package. */
export const clientVersion: string = manifest.version;
