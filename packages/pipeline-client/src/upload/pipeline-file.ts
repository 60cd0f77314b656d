import {
  isObject,
  type Pipeline,
  PipelineSpecError,
  type PrintablePipeline,
  type Problem,
  parsePipeline,
  printPipeline,
  unpackPipeline,
} from "@wye/pipeline-spec";
import type { RuleSettings } from "@wye/pipeline-validator";
import { PipelineClientError } from "../client-error.js";
import { shown } from "../shown.js";

/**
 * A pipeline to be uploaded or run: the text or the bytes of a file (an archive as well), a `File` of a browser, what `parsePipeline` of
 * `@wye/pipeline-spec` has read, or `{ spec }` with a specification that a program has made.
 */
export type PipelineInput = string | Uint8Array | Blob | Pipeline | PrintablePipeline;

/** A file that may be sent. */
export interface PipelineFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** `pipeline.yaml` or `pipeline.json`: servers go by the ending. */
  readonly fileName: string;
  readonly pipeline: Pipeline;
}

/** Servers take no more. */
const mostUploadBytes = 33_554_432;

/**
 * Reads what a user wants to upload or to run and refuses what is wrong with it, with line and column. What is no YAML is refused in any
 * case: servers up to 2.17 never come back from it.
 *
 * @param isChecked  false for a file whose mistakes are meant
 * @param rules  what of the rules of Kubeflow does not hold where the file goes
 * @throws PipelineClientError `invalid_pipeline`
 */
export async function readPipelineFile(
  input: PipelineInput,
  isChecked: boolean,
  rules: RuleSettings = {},
): Promise<PipelineFile> {
  if (typeof input === "string" && isPath(input)) throw refused([pathGiven(input)]);
  const bytes = await bytesOf(input);
  // A server would unpack it by the ending of its name, and hang when the two do not agree: what is inside is sent.
  const unpacked = await unpackPipeline(bytes);
  if (!unpacked.ok) throw refused(unpacked.problems);
  const file = new Uint8Array(unpacked.bytes);
  if (file.byteLength > mostUploadBytes) throw refused([tooLarge(file.byteLength)]);
  const parsed = parsePipeline(file, { deprecations: false });
  if (!parsed.ok) throw refused(parsed.problems);
  if (isChecked) {
    // Whoever only asks a server never loads the rules.
    const { validatePipeline } = await import("./rules.js");
    const report = validatePipeline(file, { rules });
    if (!report.ok) throw refused(report.problems);
  }
  const { pipeline } = parsed;
  if (pipeline.specPath !== "")
    return { bytes: withoutWrapping(pipeline), fileName: "pipeline.yaml", pipeline };
  const isJson = /^\s*\{/.test(new TextDecoder().decode(file.subarray(0, 100)));
  return { bytes: file, fileName: isJson ? "pipeline.json" : "pipeline.yaml", pipeline };
}

/** The Python client takes the path of a file where this one takes the text, which may come from anywhere. */
const isPath = (text: string): boolean =>
  /^(?!.*: )[^\n{}]{1,1000}\.(?:ya?ml|json|zip|tgz|tar\.gz)$/i.test(text);

function pathGiven(path: string): Problem {
  const message = `${JSON.stringify(shown(path))} is a path, and not the text of a file`;
  return { code: "path", severity: "error", path: "", message, hint: "give what is in the file" };
}

async function bytesOf(input: PipelineInput): Promise<Uint8Array> {
  if (typeof input === "string") return new TextEncoder().encode(input);
  if (input instanceof Uint8Array) return input;
  if (input instanceof Blob) return new Uint8Array(await input.arrayBuffer());
  if (isObject(input) && isObject(input.spec)) return new TextEncoder().encode(printed(input));
  throw new TypeError(
    "a pipeline is the text or the bytes of a file, a Blob, the `pipeline` of what parsePipeline gives, or { spec }",
  );
}

/** What a program has made as the text of a file. What a server has given is JSON, and no specification that was read. */
function printed(input: PrintablePipeline): string {
  try {
    return printPipeline(input);
  } catch (error) {
    if (!(error instanceof PipelineSpecError)) throw error;
    const hint = "a specification of a server, or other JSON, is given as text: JSON.stringify(…)";
    const { code, path } = error;
    const message = path === "" ? error.message : error.message.slice(path.length + 2);
    throw refused([{ code, severity: "error", path, message, hint }]);
  }
}

/** What is inside a run, a job or another object: servers know specifications alone, and say nothing of what else there is. */
function withoutWrapping({ spec, platform }: Pipeline): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(printPipeline({ spec, platform }));
  if (bytes.byteLength > mostUploadBytes) throw refused([tooLarge(bytes.byteLength)]);
  return bytes;
}

function tooLarge(bytes: number): Problem {
  const message = `the file has ${bytes} bytes, and servers take ${mostUploadBytes}`;
  return { code: "too-large", severity: "error", path: "", message };
}

/** How many problems a message shows. All are in `problems`. */
const mostShown = 5;

/** The error for problems of a file or of parameters. */
export function refused(
  problems: readonly Problem[],
  code: "invalid_pipeline" | "invalid_parameters" = "invalid_pipeline",
): PipelineClientError {
  const errors = problems.filter(({ severity }) => severity === "error");
  const lines = errors.slice(0, mostShown).map(({ message, hint, range, path }) => {
    const place = range === undefined ? path : `${range.start.line}:${range.start.column}`;
    return `\n  ${place === "" ? "" : `${place} `}${message}${hint === undefined ? "" : `; ${hint}`}`;
  });
  const more = errors.length > lines.length ? `\n  and ${errors.length - lines.length} more` : "";
  const what =
    code === "invalid_pipeline" ? "the pipeline has errors" : "the parameters do not fit the pipeline";
  return new PipelineClientError(`${what}, and nothing was sent:${lines.join("")}${more}`, {
    code,
    problems,
  });
}
