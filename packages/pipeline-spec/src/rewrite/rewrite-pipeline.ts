import { checkArguments } from "../check-arguments.js";
import { commentOffsets } from "../comment-offsets.js";
import type {
  PipelineDeploymentConfig,
  PipelineSpec,
  PlatformSpec,
} from "../gen/ml_pipelines/pipeline_spec.js";
import { pathFromPointer } from "../json-pointer.js";
import { isObject, jsonEquals } from "../json-value.js";
import { placesOf } from "../locate.js";
import { checkParseOptions, type ParseOptions } from "../parse-options.js";
import { parsePipeline } from "../parse-pipeline.js";
import type { Pipeline } from "../pipeline.js";
import type { Places } from "../places.js";
import { printPipeline } from "../print-pipeline.js";
import type { Problem } from "../problem.js";
import { writeJson } from "../write-json.js";
import { DocumentEdits } from "./document-edits.js";
import { checkDraftFields } from "./draft-fields.js";
import { moveAnchors } from "./move-anchors.js";
import { PlacedText } from "./placed-text.js";
import { Splices } from "./splices.js";
import { TextLayout } from "./text-layout.js";

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
      /**
       * False when the file had to be printed anew, without its comments, because the change could not be made inside of it. A comment in the
       * line of what is removed goes with it in any case, also when the same is put elsewhere in its list.
       */
      readonly keptComments: boolean;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Changes a pipeline file: `change` is given its messages and changes them in place, with `walkMessages` everywhere. What is not
 * changed stays as it was written, to the byte; the text that comes out is read again, and means what the messages say.
 *
 * @throws PipelineSpecError  when `change` puts something into a message that JSON has no form for, or that the message does not have
 * @throws TypeError  when `change` is asynchronous (what it needs has to be looked up before), gives a pipeline instead of changing the
 *   draft, or changes `spec.deploymentSpec` instead of `deployment`
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
  const before = jsonText(spec.deploymentSpec);
  refuseResult(change(Object.freeze({ spec, deployment, platform })));
  if (jsonText(spec.deploymentSpec) !== before) {
    throw new TypeError(
      "rewritePipeline: executors are changed in `deployment` of the draft, not in `spec.deploymentSpec`",
    );
  }
  checkDraftFields({ spec, deployment, platform });
  const after = partsOf({ spec, deployment, platform });
  const changed = changedText(text, pipeline, after, options);
  if (changed !== undefined) return { ok: true, text: changed, keptComments: true };
  const executors = after.spec.deploymentSpec ?? (spec.deploymentSpec && {});
  const deploymentSpec = executors === undefined ? undefined : { ...object(executors) };
  return {
    ok: true,
    text: printPipeline({ ...pipeline, spec: { ...spec, deploymentSpec }, platform }),
    keptComments: false,
  };
}

/** TypeScript takes a function that gives something, such as a promise, for one that gives nothing. */
function refuseResult(given: unknown): void {
  if (!isObject(given)) return;
  if ("then" in given) {
    // Whatever comes of it, the TypeError is what tells.
    Promise.resolve(given).catch(() => undefined);
    throw new TypeError(
      "the change of rewritePipeline must not be async: look up what it needs first, and change the messages then",
    );
  }
  if ("spec" in given || "components" in given) {
    throw new TypeError("the change of rewritePipeline gives a pipeline: change the draft in place instead");
  }
}

const jsonText = (value: unknown): string | undefined => JSON.stringify(value);

type Json = { readonly [name: string]: unknown };
interface Parts {
  readonly spec: Json;
  readonly platform: Json;
}

/** The JSON of what can be changed. The executors are read from the specification, and are looked at by themselves. */
function partsOf({ spec, deployment, platform }: Pick<Pipeline, keyof PipelineDraft>): Parts {
  const executors = object(writeJson("PipelineDeploymentConfig", deployment));
  const deploymentSpec = Object.keys(executors).length > 0 ? { deploymentSpec: executors } : {};
  return {
    spec: { ...object(writeJson("PipelineSpec", { ...spec, deploymentSpec: undefined })), ...deploymentSpec },
    // Without `platforms` a document is none of platforms: an empty map stays when the last of them goes.
    platform: platform === undefined ? {} : { platforms: {}, ...object(writeJson("PlatformSpec", platform)) },
  };
}

/** Messages other than a few well-known types are objects in JSON. */
const object = (json: unknown): Json => json as Json;

/** How often a text is looked at again for what aliases still have to say. */
const mostRounds = 5;

/**
 * The text with the changes made inside of it. Where aliases are, changing one part changes others, which are put right in further
 * rounds. Undefined when no round comes to what is wanted, or one only by losing comments.
 */
function changedText(
  text: string,
  pipeline: Pipeline,
  wanted: Parts,
  options: ParseOptions,
): string | undefined {
  let [current, meaning, before] = [text, pipeline, partsOf(pipeline)];
  if (jsonEquals(before, wanted)) return text;
  for (let round = 0; round < mostRounds; round++) {
    let splices = splicesFor(current, meaning, before, wanted, false);
    if (splices.isEmpty) splices = splicesFor(current, meaning, before, wanted, true);
    const next = splices.isEmpty ? undefined : splices.applyTo(current);
    const parsed = next === undefined ? undefined : parsePipeline(next, options);
    if (next === undefined || !parsed?.ok) return undefined;
    const after = partsOf(parsed.pipeline);
    if (jsonEquals(after, wanted)) return next;
    // A comment that has become a part of a text would be removed from it.
    if (!keepsComments(current, splices, next)) return undefined;
    [current, meaning, before] = [next, parsed.pipeline, after];
  }
  return undefined;
}

/** True when all comments are still comments that do not stand in what gives way. */
function keepsComments(before: string, { isTaken }: Splices, after: string): boolean {
  const kept = commentOffsets(before).filter((at) => !isTaken(at));
  return commentOffsets(after).length === kept.length;
}

function splicesFor(
  text: string,
  pipeline: Pipeline,
  before: Parts,
  after: Parts,
  withAliases: boolean,
): Splices {
  const places = placesOf(pipeline);
  const layout = new TextLayout(text);
  const splices = new Splices();
  if (places === undefined) return splices;
  const edits = (document: Places) =>
    new DocumentEdits(new PlacedText(layout, document), splices, withAliases);
  const [spec, platform] = [places.spec(), places.platform()];
  edits(spec).change(pathFromPointer(pipeline.specPath), before.spec, after.spec);
  edits(platform).change(pathFromPointer(pipeline.platformPath), before.platform, after.platform);
  for (const document of new Set([spec, platform])) moveAnchors(new PlacedText(layout, document), splices);
  return splices;
}
