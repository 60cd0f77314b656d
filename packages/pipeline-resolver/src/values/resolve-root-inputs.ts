import {
  type ComponentSpec,
  checkArguments,
  checkOptions,
  didYouMean,
  jsonEquals,
  ownEntry,
  type PartialMessage,
  plainValue,
  type RuntimeConfig,
} from "@wye/pipeline-spec";
import { isTooDeep, tooDeep } from "../json-depth.js";
import { renderJson } from "../render-value.js";
import { convertParameter, kindOf, type Profile, profiles } from "./convert-parameter.js";
import { defaultOfType } from "./default-of-type.js";
import { parameterTypeOf } from "./parameter-type.js";
import type { Artifacts, TaskInputs } from "./task-values.js";
import { type Resolved, resolved, ValueProblems } from "./value-problem.js";

/** Settings of `resolveRootInputs`. */
export interface RootInputOptions {
  readonly profile?: Profile;
  /** Artifacts for the inputs of the pipeline itself, which a runtime configuration cannot carry. */
  readonly artifacts?: Artifacts;
}

/**
 * The inputs of a whole pipeline, from the values that a run is started with. As on the server, a value must be of the declared kind
 * (null is of none) and among the values allowed; inputs without a value get their default, or null when they are optional
 * (in the profile `spec` the default of their type).
 * Problems point into the runtime configuration.
 */
export function resolveRootInputs(
  root: ComponentSpec,
  config: PartialMessage<RuntimeConfig> = {},
  options: RootInputOptions = {},
): Resolved<TaskInputs> {
  checkArguments("resolveRootInputs", "object", { root, config });
  checkOptions("resolveRootInputs", options, { profile: profiles, artifacts: "any" });
  const { profile = "kfp", artifacts = {} } = options;
  const problems = new ValueProblems();
  const declared = root.inputDefinitions?.parameters ?? {};
  const given = givenValues(config);
  for (const name of given.keys()) {
    if (Object.hasOwn(declared, name)) continue;
    const near = didYouMean(name, Object.keys(declared));
    const hint = near === undefined ? undefined : `did you mean ${near}?`;
    problems.error(
      "undeclared",
      ["parameterValues", name],
      `the pipeline has no input parameter ${name}`,
      hint,
    );
  }
  const parameters: [string, unknown][] = [];
  const defaulted: string[] = [];
  for (const [name, spec] of Object.entries(declared)) {
    const path = ["parameterValues", name];
    const type = parameterTypeOf(spec);
    if (!given.has(name)) {
      const ofType = profile === "spec" && spec.isOptional ? defaultOfType(type) : undefined;
      if (spec.defaultValue !== undefined || ofType !== undefined) defaulted.push(name);
      else if (!spec.isOptional)
        problems.error("missing", path, `the pipeline needs a value for the parameter ${name}`);
      parameters.push([name, spec.defaultValue ?? ofType ?? null]);
      continue;
    }
    const value = given.get(name);
    const kind = kindOf(value);
    if (isTooDeep(value)) {
      problems.error("type", path, `parameter ${name}: the value is ${tooDeep}`);
      continue;
    }
    if (type === "STRING" && kind !== "string") {
      problems.error("type", path, `parameter ${name}: expected string for type STRING, got ${kind}`);
      continue;
    }
    const conversion = convertParameter(value, type, { profile });
    if (!conversion.ok) problems.error("type", path, `parameter ${name}: ${conversion.message}`);
    else if (conversion.warning) problems.warn("type", path, `parameter ${name}: ${conversion.warning}`);
    if (spec.literals.length > 0 && !spec.literals.some((literal) => jsonEquals(literal, value))) {
      const allowed = renderJson(spec.literals);
      problems.error("literal", path, `${renderJson(value)} is not one of the values allowed: ${allowed}`);
    }
    parameters.push([name, value]);
  }
  for (const [name, { isOptional }] of Object.entries(root.inputDefinitions?.artifacts ?? {})) {
    if (isOptional || ownEntry(artifacts, name)) continue;
    problems.error("missing", ["artifacts", name], `the pipeline needs the input artifact ${name}`);
  }
  return resolved({ parameters: Object.fromEntries(parameters), artifacts, defaulted }, problems);
}

/** The values of both fields; the newer one wins. */
function givenValues({
  parameters = {},
  parameterValues = {},
}: PartialMessage<RuntimeConfig>): Map<string, unknown> {
  const given = new Map<string, unknown>();
  for (const [name, value] of Object.entries(parameters)) given.set(name, value ? plainValue(value) : null);
  for (const [name, value] of Object.entries(parameterValues))
    if (value !== undefined) given.set(name, value);
  return given;
}
