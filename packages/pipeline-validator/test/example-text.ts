import { parse, parseAllDocuments, stringify } from "yaml";
import { examplePipeline, type RuleGroup } from "../src/index.js";

type Json = { [key: string]: unknown };

const isMap = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** RFC 7396. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const result: Json = isMap(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

/** The text of a specification that an example stands for. */
export function exampleText(form: RuleGroup["exampleForm"], example: string): string {
  if (form === "appended") return `${examplePipeline}${example}\n`;
  const [patch, platform] = parseAllDocuments(example).map((document) => document.toJS() as unknown);
  const spec = stringify(mergePatch(parse(examplePipeline), patch ?? {}));
  return platform === undefined ? spec : `${spec}---\n${stringify(platform)}`;
}
