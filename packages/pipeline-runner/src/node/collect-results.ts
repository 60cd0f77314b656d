import { dirname, resolve, sep } from "node:path";
import {
  type Artifacts,
  collectOutputs,
  convertParameter,
  type ParameterValues,
  parameterTypeOf,
  type TaskOutputs,
} from "@wye/pipeline-resolver";
import {
  type ArtifactList,
  type ComponentSpec,
  type ExecutorInput,
  isObject,
  jsonProblem,
  ownEntry,
} from "@wye/pipeline-spec";
import type { ReadyContainer } from "../ready-task.js";
import { describeProblems } from "../reasons.js";
import { ExactNumbers } from "./exact-numbers.js";
import { localPath } from "./local-path.js";
import { isWithin, openOwn, readAt } from "./own-file.js";
import { wholePaths } from "./whole-paths.js";

/** Values go into the journal, the executor input and command lines: what is larger is an artifact. */
const maxBytes = 64 * 2 ** 20;

/** What a task has made, or what is wrong with it. */
export type Collected =
  | { readonly ok: true; readonly outputs: TaskOutputs; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** What surrounds a task that has ended. */
export interface Surroundings {
  /** Where it ran: what its relative paths mean. */
  readonly folder: string;
  /** The outputs that the executor gives. */
  readonly given: Partial<TaskOutputs> | undefined;
  /** The folders in which it may have made something, when it saw nothing else but its inputs. */
  readonly seen: readonly string[] | undefined;
}

/** The outputs of a task that went well: what the executor gives, and else what is in the files. */
export function collectResults(
  { definition }: ReadyContainer,
  executorInput: ExecutorInput,
  { folder, given = {}, seen }: Surroundings,
): Collected {
  const { parameters = {}, artifacts = {} } = given;
  if (!isObject(parameters) || !isObject(artifacts))
    return { ok: false, message: "the executor gives outputs that are no object of parameters or artifacts" };
  const files = executorInput.outputs?.parameters ?? {};
  const numbers = new ExactNumbers();
  const found = collectOutputs(
    definition,
    executorInput,
    {
      executorOutput: numbers.in(textOf("executor output", executorInput.outputs?.outputFile)),
      parameterFile: (key) =>
        Object.hasOwn(parameters, key)
          ? undefined
          : numbers.in(textOf(`output parameter ${key}`, ownEntry(files, key)?.outputFile)),
    },
    { missingFile: "absent" },
  );
  if (!found.ok) return { ok: false, message: describeProblems(found.problems) };
  const inexact = numbers.lostIn(definition, found.value.parameters);
  if (inexact !== undefined) return { ok: false, message: inexact };
  const outputs = {
    parameters: { ...found.value.parameters, ...parameters },
    artifacts: wholePaths({ ...found.value.artifacts, ...artifacts }, folder),
  };
  const types = conversionsOf(definition, outputs.parameters);
  if (types.mistyped !== undefined) return { ok: false, message: types.mistyped };
  const stray = seen && strayPath(wholePaths(found.value.artifacts, folder), executorInput, seen);
  if (stray !== undefined)
    return { ok: false, message: `it names ${stray} as an artifact, which it has not seen` };
  const declared = definition.outputDefinitions?.parameters ?? {};
  const missing = Object.keys(declared).filter((key) => !Object.hasOwn(outputs.parameters, key));
  // A name that is not declared may be why one is missing: the run says so.
  const isMisspelt = Object.keys(parameters).some((key) => !Object.hasOwn(declared, key));
  if (missing.length === 0 || isMisspelt)
    return { ok: true, outputs, warnings: [...types.odd, ...numbers.lostInMetadata(found.value.artifacts)] };
  const names = `output parameter${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`;
  return { ok: false, message: `it has not written its ${names}` };
}

/**
 * What is wrong with a value that is not of its type, by whichever way it came: else the task that takes it would be blamed. What is odd
 * about others.
 */
export function conversionsOf(
  { outputDefinitions }: ComponentSpec,
  values: ParameterValues,
): { readonly mistyped?: string; readonly odd: readonly string[] } {
  const odd: string[] = [];
  for (const [name, spec] of Object.entries(outputDefinitions?.parameters ?? {})) {
    const value = ownEntry(values, name);
    // What is no JSON is refused with its reason where it is reported.
    if (value === undefined || jsonProblem(value) !== undefined) continue;
    const converted = convertParameter(value, parameterTypeOf(spec));
    const said = `its output parameter ${name}: `;
    if (!converted.ok) return { mistyped: said + converted.message, odd };
    if (converted.warning !== undefined) odd.push(said + converted.warning);
  }
  return { odd };
}

/** A path of this machine that a task names for an artifact, and that is neither one of its own nor one of its inputs, or in one. */
function strayPath(made: Artifacts, { inputs }: ExecutorInput, seen: readonly string[]): string | undefined {
  const given = new Set(Object.values(inputs?.artifacts ?? {}).flatMap(pathsOf));
  // Links on the way are its own as well; one in the place of an artifact is shown to nobody.
  const isIn = (path: string, folder: string) =>
    resolve(path).startsWith(`${folder}${sep}`) && isWithin(dirname(path), folder);
  // What an input has links to was no more to be seen than the rest of this machine.
  const isPart = (path: string) => [...given].some((one) => isIn(path, one) && isWithin(path, one));
  return Object.values(made)
    .flatMap(pathsOf)
    .find((path) => !given.has(path) && !seen.some((folder) => isIn(path, folder)) && !isPart(path));
}

function pathsOf({ artifacts }: ArtifactList): readonly string[] {
  return artifacts.flatMap(({ uri, customPath }) =>
    [localPath(uri), customPath].flatMap((path) => path || []),
  );
}

/** The text of a file that a task may have left. */
function textOf(what: string, path: string | undefined): string | undefined {
  if (!path) return undefined;
  try {
    return openOwn(path, (file, size) => {
      if (size > maxBytes) throw new Error(`has ${size} bytes, more than ${maxBytes}: make it an artifact`);
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(readAt(file, 0, size));
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`what it has left for its ${what} ${reason}`, { cause: error });
  }
}
