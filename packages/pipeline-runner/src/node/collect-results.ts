import { collectOutputs, type TaskOutputs } from "@wye/pipeline-resolver";
import { type ExecutorInput, isObject, ownEntry } from "@wye/pipeline-spec";
import type { ReadyContainer } from "../ready-task.js";
import { describeProblems } from "../reasons.js";
import { openOwn, readAt } from "./own-file.js";

/** Values go into the journal, the executor input and command lines: what is larger is an artifact. */
const maxBytes = 64 * 2 ** 20;

/** What a task has made, or what is wrong with it. */
export type Collected =
  | { readonly ok: true; readonly outputs: TaskOutputs }
  | { readonly ok: false; readonly message: string };

/** The outputs of a task that went well: what the executor gives, and else what is in the files. */
export function collectResults(
  { definition }: ReadyContainer,
  executorInput: ExecutorInput,
  given: Partial<TaskOutputs> = {},
): Collected {
  const { parameters = {}, artifacts = {} } = given;
  if (!isObject(parameters) || !isObject(artifacts))
    return { ok: false, message: "the executor gives outputs that are no object of parameters or artifacts" };
  const files = executorInput.outputs?.parameters ?? {};
  const found = collectOutputs(
    definition,
    executorInput,
    {
      executorOutput: textOf("executor output", executorInput.outputs?.outputFile),
      parameterFile: (key) =>
        Object.hasOwn(parameters, key)
          ? undefined
          : textOf(`output parameter ${key}`, ownEntry(files, key)?.outputFile),
    },
    { missingFile: "absent" },
  );
  if (!found.ok) return { ok: false, message: describeProblems(found.problems) };
  const outputs = {
    parameters: { ...found.value.parameters, ...parameters },
    artifacts: { ...found.value.artifacts, ...artifacts },
  };
  const declared = definition.outputDefinitions?.parameters ?? {};
  const missing = Object.keys(declared).filter((key) => !Object.hasOwn(outputs.parameters, key));
  // A name that is not declared may be why one is missing: the run says so.
  const isMisspelt = Object.keys(parameters).some((key) => !Object.hasOwn(declared, key));
  if (missing.length === 0 || isMisspelt) return { ok: true, outputs };
  const names = `output parameter${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`;
  return { ok: false, message: `it has not written its ${names}` };
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
