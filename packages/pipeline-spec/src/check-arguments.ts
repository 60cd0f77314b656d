import { describeValue, isObject } from "./json-value.js";

/** What an argument may be. */
export type ArgumentKind = "object" | "list" | "text" | "function" | "iterable";

const kinds: { readonly [K in ArgumentKind]: (value: unknown) => boolean } = {
  object: isObject,
  list: Array.isArray,
  text: (value) => typeof value === "string",
  function: (value) => typeof value === "function",
  iterable: (value) => typeof value === "object" && value !== null && Symbol.iterator in value,
};

/**
 * Refuses arguments that are not even of the right kind, before something deep inside stumbles over them.
 *
 * @throws TypeError that names the function and the argument
 */
export function checkArguments(
  caller: string,
  kind: ArgumentKind,
  args: Readonly<Record<string, unknown>>,
): void {
  if (!Object.hasOwn(kinds, kind)) throw new TypeError(`checkArguments knows no ${describeValue(kind)}`);
  for (const name in args) {
    const value = args[name];
    if (kinds[kind](value)) continue;
    const article = /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
    throw new TypeError(`${caller} takes ${article} as its ${name}, not ${describeValue(value)}`);
  }
}

/**
 * Refuses what is no pipeline, such as the text of one, or all that `parsePipeline` gives.
 *
 * @throws TypeError that names the function
 */
export function checkPipeline(caller: string, pipeline: unknown): void {
  checkArguments(caller, "object", { pipeline });
  if (isObject(pipeline) && isObject(pipeline.spec)) return;
  throw new TypeError(
    `${caller} takes a pipeline with its \`spec\`: the \`pipeline\` of what parsePipeline gives`,
  );
}
