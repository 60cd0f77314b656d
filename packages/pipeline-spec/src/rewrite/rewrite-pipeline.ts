import { checkArguments } from "../check-arguments.js";
import type {
  PipelineDeploymentConfig,
  PipelineSpec,
  PlatformSpec,
} from "../gen/ml_pipelines/pipeline_spec.js";
import { pathFromPointer } from "../json-pointer.js";
import { documentNumbers } from "../locate.js";
import { checkParseOptions, type ParseOptions } from "../parse-options.js";
import { parsePipeline } from "../parse-pipeline.js";
import type { Pipeline } from "../pipeline.js";
import { printPipeline } from "../print-pipeline.js";
import type { Problem } from "../problem.js";
import { writeJson } from "../write-json.js";
import { changeJson } from "./change-json.js";
import { changeYaml, type DocumentChange } from "./change-yaml.js";
import { type JsonChange, jsonChanges } from "./json-changes.js";

/** The messages of a pipeline, to be changed in place. */
export interface PipelineDraft {
  readonly spec: PipelineSpec;
  /** The executors: what is changed here is changed in the file, unlike `spec.deploymentSpec`. */
  readonly deployment: PipelineDeploymentConfig;
  /** The platform specification; undefined when the file has none. */
  readonly platform: PlatformSpec | undefined;
}

/** A pipeline file after a change, or what prevents one. */
export type RewriteResult =
  | {
      readonly ok: true;
      readonly text: string;
      /** False when the file had to be printed anew, without its comments, because the change could not be made inside of it. */
      readonly keptComments: boolean;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Changes a pipeline file: `change` is given its messages and changes them in place, with `walkMessages` everywhere. What is not
 * changed stays as it was written, comments included; the text that comes out is read again, and means what the messages say.
 *
 * @throws PipelineSpecError  when `change` puts something into a message that JSON has no form for
 * @throws TypeError  when `change` is asynchronous: what it needs has to be looked up before
 */
export function rewritePipeline(
  text: string,
  change: (draft: PipelineDraft) => void,
  options: ParseOptions = {},
): RewriteResult {
  checkArguments("rewritePipeline", "text", { text });
  checkArguments("rewritePipeline", "function", { change });
  checkParseOptions("rewritePipeline", options);
  const parsed = parsePipeline(text, options);
  if (!parsed.ok) return { ok: false, problems: parsed.problems };
  const { pipeline } = parsed;
  const { spec, deployment, platform } = structuredClone({
    spec: pipeline.spec,
    deployment: pipeline.deployment,
    platform: pipeline.platform,
  });
  refusePromise(change({ spec, deployment, platform }));
  const before = partsOf(pipeline);
  const after = partsOf({ spec, deployment, platform });
  const changes = fileChanges(pipeline, before, after);
  if (changes.length === 0) return { ok: true, text, keptComments: true };
  const changed = isJson(text) ? changeJson(text, changes) : changeYaml(text, changes);
  if (changed !== undefined && means(changed, after, options)) {
    return { ok: true, text: changed, keptComments: true };
  }
  const hasExecutors = spec.deploymentSpec !== undefined || Object.keys(after.deployment).length > 0;
  const deploymentSpec = hasExecutors ? after.deployment : undefined;
  return {
    ok: true,
    text: printPipeline({ ...pipeline, spec: { ...spec, deploymentSpec }, platform }),
    keptComments: false,
  };
}

/** TypeScript takes a function that gives a promise for one that gives nothing. */
function refusePromise(given: unknown): void {
  if (typeof given !== "object" || given === null || !("then" in given)) return;
  // Whatever comes of it, the TypeError is what tells.
  Promise.resolve(given).catch(() => undefined);
  throw new TypeError(
    "the change of rewritePipeline must not be async: look up what it needs first, and change the messages then",
  );
}

type Json = { readonly [name: string]: unknown };
interface Parts {
  readonly spec: Json;
  readonly deployment: { [name: string]: unknown };
  readonly platform: Json;
}

/** The JSON of what can be changed. The executors are read from the specification, and are looked at by themselves. */
function partsOf({ spec, deployment, platform }: Pick<Pipeline, keyof PipelineDraft>): Parts {
  return {
    spec: object(writeJson("PipelineSpec", { ...spec, deploymentSpec: undefined })),
    deployment: { ...object(writeJson("PipelineDeploymentConfig", deployment)) },
    platform: platform === undefined ? {} : object(writeJson("PlatformSpec", platform)),
  };
}

/** Messages other than a few well-known types are objects in JSON. */
const object = (json: unknown): Json => json as Json;

function fileChanges(pipeline: Pipeline, before: Parts, after: Parts): readonly DocumentChange[] {
  const inSpec = pathFromPointer(pipeline.specPath);
  const inPlatform = pathFromPointer(pipeline.platformPath);
  const documents = documentNumbers(pipeline);
  const inDocument = (document: number, changes: Iterable<JsonChange>) =>
    Array.from(changes, (change) => ({ ...change, document }));
  return [
    ...inDocument(documents.spec, jsonChanges(before.spec, after.spec, inSpec)),
    ...inDocument(
      documents.spec,
      jsonChanges(before.deployment, after.deployment, [...inSpec, "deploymentSpec"]),
    ),
    ...inDocument(documents.platform, jsonChanges(before.platform, after.platform, inPlatform)),
  ];
}

const isJson = (text: string): boolean => {
  if (!/^\s*\{/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    // YAML may begin with a brace as well.
    return false;
  }
};

/** Whether a text says what it is to say. */
function means(text: string, wanted: Parts, options: ParseOptions): boolean {
  const parsed = parsePipeline(text, options);
  if (!parsed.ok) return false;
  const { done } = jsonChanges(partsOf(parsed.pipeline), wanted).next();
  return done === true;
}
