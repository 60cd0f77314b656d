import { isObject, type Pipeline, pointer, writeJson } from "@wye/pipeline-spec";
import type { Finding } from "./problem-book.js";
import { quote } from "./quote.js";

/** What Argo looks for in all texts of a workflow. Placeholders of pipelines begin otherwise. */
const tag =
  /\{\{\s{0,3}(?:(?:workflow|inputs|outputs|tasks|steps|pod|node|lastRetry|cronworkflow)\.|item\b|retries\b|=)[^{}]{0,200}\}\}/;

/** The first tag of Argo in a text; undefined when there is none. */
export function tagIn(text: string): string | undefined {
  return text.includes("{{") ? tag.exec(text)?.[0] : undefined;
}

/** The texts with tags of Argo in the parts of a pipeline that become parts of a workflow. */
export function* tagsOfPipeline({ spec, deployment, platform }: Pipeline): Generator<Finding> {
  const written: unknown = writeJson("PipelineSpec", spec);
  const parts = isObject(written) ? written : {};
  for (const name of ["root", "components"]) yield* tagsIn(parts[name], `/${name}`);
  yield* tagsIn(writeJson("PipelineDeploymentConfig", deployment), "/deploymentSpec");
  if (platform !== undefined) yield* tagsIn(writeJson("PlatformSpec", platform), "");
}

/** The texts with tags of Argo in a value. */
export function* tagsIn(value: unknown, path: string): Generator<Finding> {
  // Values may be nested deeper than functions can call themselves.
  const open: [value: unknown, path: string][] = [[value, path]];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [found, at] = one;
    if (typeof found === "string") {
      const text = tagIn(found);
      if (text !== undefined) yield { code: "argo-tag", path: at, message: messageOf(text) };
    } else if (typeof found === "object" && found !== null) {
      for (const [name, member] of Object.entries(found).reverse())
        if (typeof member === "string" || typeof member === "object") open.push([member, pointer(at, name)]);
    }
  }
}

function messageOf(text: string): string {
  return `${quote(text)} is a tag of Argo, which looks for tags in all texts of a workflow, also in this one`;
}
