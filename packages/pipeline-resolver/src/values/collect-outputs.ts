import {
  type ArtifactList,
  type ComponentSpec,
  checkArguments,
  checkOptions,
  describeValue,
  type ExecutorInput,
  type ExecutorOutput,
  ownEntry,
  plainValue,
  type RuntimeArtifact,
  readJson,
} from "@wye/pipeline-spec";
import { jsonFromText } from "../json-from-text.js";
import { kindOf } from "./convert-parameter.js";
import { goFloat, goInteger, goTrim } from "./go-number.js";
import { type ParameterTypeName, parameterTypeOf } from "./parameter-type.js";
import type { TaskOutputs } from "./task-values.js";
import { type Resolved, resolved, ValueProblems } from "./value-problem.js";

/** What a container has left behind. */
export interface ContainerResults {
  /** The text of the executor output file; undefined when there is no such file. */
  readonly executorOutput: string | undefined;
  /** The text of the file of an output parameter; undefined when there is no such file. */
  readonly parameterFile: (key: string) => string | undefined;
}

/** Settings of `collectOutputs`. */
export interface CollectOptions {
  /** What a missing file of a declared output parameter means: an error as on the back end (by default), or no output. */
  readonly missingFile?: "error" | "absent";
}

/**
 * The outputs of a task that has succeeded. What the executor output says wins over the files of parameters, as the proto says.
 * Artifacts are those of the executor input, with what the executor output says about them: URI, path and metadata.
 */
export function collectOutputs(
  component: ComponentSpec,
  executorInput: ExecutorInput,
  results: ContainerResults,
  options: CollectOptions = {},
): Resolved<TaskOutputs> {
  checkArguments("collectOutputs", "object", { component, executorInput, results });
  checkOptions("collectOutputs", options, { missingFile: ["error", "absent"] });
  const { executorOutput, parameterFile } = results;
  if (executorOutput !== undefined) checkArguments("collectOutputs", "text", { executorOutput });
  checkArguments("collectOutputs", "function", { parameterFile });
  const { missingFile = "error" } = options;
  const problems = new ValueProblems();
  const output = executorOutput === undefined ? undefined : readOutput(executorOutput, problems);
  const parameters: [string, unknown][] = [];
  for (const [key, spec] of Object.entries(component.outputDefinitions?.parameters ?? {})) {
    const told = toldValue(output, key);
    if (told !== undefined) {
      parameters.push([key, told]);
      continue;
    }
    const text = parameterFile(key);
    if (text !== undefined && typeof text !== "string") {
      const what = `a text, or undefined when there is no file, not ${describeValue(text)}`;
      throw new TypeError(`the parameterFile of collectOutputs gives ${what}`);
    }
    if (text !== undefined) parameters.push([key, valueFromFile(text, parameterTypeOf(spec), key, problems)]);
    else if (missingFile === "error") {
      problems.error("output", ["parameters", key], `the task has not written its output parameter ${key}`);
    }
  }
  const artifacts = Object.keys(component.outputDefinitions?.artifacts ?? {}).flatMap((key) => {
    const list = ownEntry(executorInput.outputs?.artifacts, key);
    return list ? [[key, merged(list, ownEntry(output?.artifacts, key))] as const] : [];
  });
  return resolved(
    { parameters: Object.fromEntries(parameters), artifacts: Object.fromEntries(artifacts) },
    problems,
  );
}

function readOutput(text: string, problems: ValueProblems): ExecutorOutput | undefined {
  const json = jsonFromText(text);
  if (!json.ok) return problems.error("output", [], `the executor output is no JSON: ${json.reason}`);
  const read = readJson("ExecutorOutput", json.value);
  if (read.ok) return read.value;
  for (const { path, message } of read.problems) {
    problems.error("output", path.split("/").slice(1), `the executor output is wrong: ${message}`);
  }
  return undefined;
}

function toldValue(output: ExecutorOutput | undefined, key: string): unknown {
  const value = ownEntry(output?.parameterValues, key);
  if (value !== undefined) return value;
  const old = ownEntry(output?.parameters, key);
  return old && plainValue(old);
}

const bools = new Map([
  ...["1", "t", "T", "true", "TRUE", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "false", "FALSE", "False"].map((text) => [text, false] as const),
]);

/** Reads the text of a file by the declared type of the output. */
function valueFromFile(text: string, type: ParameterTypeName, key: string, problems: ValueProblems): unknown {
  const trimmed = goTrim(text);
  const value = readValue(text, trimmed, type);
  if (value !== undefined) return value;
  const shown = JSON.stringify(trimmed.length > 50 ? `${trimmed.slice(0, 49)}…` : trimmed);
  return problems.error("output", ["parameters", key], `the output parameter ${key} is no ${type}: ${shown}`);
}

function readValue(text: string, trimmed: string, type: ParameterTypeName): unknown {
  switch (type) {
    case "NUMBER_INTEGER":
      return goInteger(trimmed);
    case "NUMBER_DOUBLE":
      return goFloat(trimmed);
    case "BOOLEAN":
      return bools.get(trimmed);
    case "LIST":
    case "STRUCT": {
      const json = jsonFromText(text);
      return json.ok && kindOf(json.value) === type.toLowerCase() ? json.value : undefined;
    }
    default:
      return text;
  }
}

/** The first artifact that the executor output names changes the first that was announced. */
function merged(list: ArtifactList, told: ArtifactList | undefined): ArtifactList {
  const [announced, ...more] = list.artifacts;
  const [change] = told?.artifacts ?? [];
  if (!announced || !change) return list;
  const artifact: RuntimeArtifact = {
    ...announced,
    uri: change.uri || announced.uri,
    metadata: change.metadata ? { ...announced.metadata, ...change.metadata } : announced.metadata,
    ...(change.customPath ? { customPath: change.customPath } : {}),
  };
  return { artifacts: [artifact, ...more] };
}
