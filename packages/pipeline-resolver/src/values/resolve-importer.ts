import {
  type ComponentSpec,
  checkArguments,
  checkMessage,
  checkOptions,
  type ImporterSpec,
  ownEntry,
  plainValue,
  RuntimeArtifact,
} from "@wye/pipeline-spec";
import { InsertionLimit } from "../placeholders/insertion-limit.js";
import type { RunFacts } from "../placeholders/resolve-placeholders.js";
import { checkInputs } from "./check-values.js";
import { resolveConstant } from "./constant.js";
import type { TaskInputs, TaskOutputs } from "./task-values.js";
import { type Resolved, resolved, ValueProblems } from "./value-problem.js";

/** Settings of `resolveImporter`. */
export interface ImporterOptions {
  /** What placeholders in the metadata can say about the run. */
  readonly facts?: RunFacts;
  /** Takes paths without a scheme for URIs, as local runners do; the back end refuses them. */
  readonly plainPaths?: boolean;
}

/**
 * What an importer makes: one artifact with the URI and the metadata of its specification, under the only output of its component.
 * Placeholders in the metadata are filled in. Problems point into the importer.
 */
export function resolveImporter(
  importer: ImporterSpec,
  component: ComponentSpec,
  inputs: TaskInputs,
  options: ImporterOptions = {},
): Resolved<TaskOutputs> {
  checkMessage("resolveImporter", "ImporterSpec", { importer });
  checkArguments("resolveImporter", "object", { component });
  checkInputs("resolveImporter", inputs);
  checkOptions("resolveImporter", options, { facts: "any", plainPaths: [true, false] });
  const { facts = {}, plainPaths = false } = options;
  const problems = new ValueProblems();
  const keys = Object.keys(component.outputDefinitions?.artifacts ?? {});
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    problems.error(
      "output",
      [],
      `an importer has one output artifact, its component declares ${keys.length}`,
    );
  }
  const messages: string[] = [];
  const parameter = (name: string) =>
    Object.hasOwn(inputs.parameters, name)
      ? { value: inputs.parameters[name] }
      : `there is no input parameter ${name}`;
  const metadata = resolveConstant(
    importer.metadata,
    { parameter, artifacts: inputs.artifacts, facts, limit: new InsertionLimit() },
    messages,
  );
  for (const message of messages) problems.error("placeholder", ["metadata"], message);
  const artifact = RuntimeArtifact.create({
    name: key ?? "",
    uri: uriOf(importer, inputs, plainPaths, problems) ?? "",
    type: importer.typeSchema,
    metadata: typeof metadata === "object" && metadata !== null ? { ...metadata } : undefined,
  });
  return resolved({ parameters: {}, artifacts: { [key ?? ""]: { artifacts: [artifact] } } }, problems);
}

function uriOf(
  { artifactUri }: ImporterSpec,
  inputs: TaskInputs,
  plainPaths: boolean,
  problems: ValueProblems,
): string | undefined {
  const value = artifactUri?.value;
  const path = ["artifactUri"];
  if (value === undefined) return problems.error("uri", path, "nothing says what to import");
  const given =
    value.$case === "runtimeParameter"
      ? ownEntry(inputs.parameters, value.value)
      : value.$case === "constantValue"
        ? plainValue(value.value)
        : value.value;
  if (typeof given === "string" && given !== "" && (plainPaths || given.includes("://"))) return given;
  if (given === undefined || given === null || given === "") {
    return problems.error("uri", path, "the URI of the artifact to import is empty");
  }
  return problems.error("uri", path, `the URI of the artifact to import has no scheme: ${String(given)}`);
}
