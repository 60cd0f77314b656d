import { spellingOf } from "./field-spellings.js";
import type { RuntimeConfig } from "./gen/ml_pipelines/pipeline_spec.js";
import { pointer } from "./json-pointer.js";
import { JsonReaders } from "./json-reader.js";
import type { JsonReader } from "./json-scalar.js";
import { isObject } from "./json-value.js";
import { parseTable } from "./message-table.js";
import { fieldOf } from "./misspelt-field.js";
import type { Reading } from "./reading.js";

/** What a run or recurring run of the KFP API is started with. */
export interface ApiRun {
  /** In the words of a job: the arguments are its `parameterValues`, the pipeline root its `gcsOutputDirectory`. */
  readonly runtimeConfig: RuntimeConfig;
  /** JSON pointer of what says so in the document, where the two are called `parameters` and `pipeline_root`. */
  readonly runtimeConfigPath: string;
  /** JSON pointer of the pipeline root, in the spelling of the document. */
  readonly pipelineRootPath: string;
}

/** What the API has in the place of the RuntimeConfig of a job. */
interface ApiRuntimeConfig {
  readonly parameters: RuntimeConfig["parameterValues"];
  readonly pipelineRoot: string;
}

const names = ["runtime_config", "runtimeConfig"];

/** The name under which a run says what it is started with, which may be a misspelt one. */
export function runtimeConfigName(run: { readonly [key: string]: unknown }): string | undefined {
  const exact = names.find((name) => Object.hasOwn(run, name));
  return exact ?? fieldOf(run, "runtime_config", ["runtime_config", "pipeline_spec", "run_details"]);
}

const table = "RuntimeConfig parameters:{s}V pipeline_root:s";
let reader: JsonReader | undefined;

function configReader(): JsonReader {
  const [shape] = parseTable(table).values();
  if (shape?.kind !== "message") throw new TypeError("the table has one message");
  return new JsonReaders().message(shape);
}

/** Reads what a run is started with, as far as that goes: what is wrong is noted in `reading` and left out. */
export function readApiRun(run: unknown, reading: Reading): ApiRun {
  const fields = isObject(run) ? run : {};
  const name = runtimeConfigName(fields) ?? "runtime_config";
  // A server refuses fields that it does not know, but may answer with some that are not known here.
  const isAnswer = Object.hasOwn(fields, "created_at") || Object.hasOwn(fields, "createdAt");
  if (isAnswer) reading.unknownFields = undefined;
  reading.path.push(name);
  reader ??= configReader();
  // The table says the same as the type.
  const json = fields[name] ?? {};
  const config = reader(json, reading) as ApiRuntimeConfig | undefined;
  const { parameters = {}, pipelineRoot = "" } = config ?? {};
  const runtimeConfig = { parameters: {}, gcsOutputDirectory: pipelineRoot, parameterValues: parameters };
  const root = (isObject(json) ? spellingOf(json, "pipeline_root") : undefined) ?? "pipeline_root";
  const runtimeConfigPath = pointer("", ...reading.path);
  return { runtimeConfig, runtimeConfigPath, pipelineRootPath: pointer(runtimeConfigPath, root) };
}
