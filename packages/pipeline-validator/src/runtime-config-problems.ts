import {
  describeValue,
  jsonEquals,
  ownEntry,
  type Pipeline,
  pointer,
  type RuntimeConfig,
} from "@wye/pipeline-spec";
import { near } from "./name-hint.js";
import { fitsKind, isBadInteger, kindOf } from "./parameter-kind.js";
import { quote } from "./quote.js";
import type { Finding } from "./rule.js";
import { storageHint, wrongStorage } from "./storage-uri.js";

/** A finding about a runtime configuration, by the rule of that name. */
export interface RuntimeFinding extends Finding {
  readonly code: string;
}

/** JSON pointers of the parts of a runtime configuration. */
export interface ConfigPlaces {
  /** Of the values of parameters. */
  readonly values: string;
  readonly pipelineRoot: string;
  /** Of the old typed values, which only a job has. */
  readonly typedValues: string;
}

/** The places in a RuntimeConfig that stands at a pointer. */
export function placesOfConfig(at: string): ConfigPlaces {
  return {
    values: `${at}/parameterValues`,
    pipelineRoot: `${at}/gcsOutputDirectory`,
    typedValues: `${at}/parameters`,
  };
}

/**
 * What is wrong with the values that the job of a file gives, where missing ones may still be given later; or with those of a
 * run, which is started with them as they are.
 */
export function* runtimeConfigProblems({
  spec,
  job,
  run,
}: Pick<Pipeline, "spec" | "job" | "run">): Generator<RuntimeFinding> {
  if (job?.runtimeConfig !== undefined)
    yield* suppliedValueProblems(spec, job.runtimeConfig, placesOfConfig("/runtimeConfig"));
  if (run === undefined) return;
  const { runtimeConfig, runtimeConfigPath: at, pipelineRootPath: pipelineRoot } = run;
  const values = `${at}/parameters`;
  yield* suppliedValueProblems(spec, runtimeConfig, { values, pipelineRoot, typedValues: values });
  yield* missingValueProblems(spec, runtimeConfig, values);
}

/** What is wrong with the values of a runtime configuration. */
export function* suppliedValueProblems(
  { root }: Pipeline["spec"],
  { parameterValues, parameters, gcsOutputDirectory }: RuntimeConfig,
  places: ConfigPlaces,
): Generator<RuntimeFinding> {
  const whyNot = wrongStorage(gcsOutputDirectory);
  if (whyNot !== undefined) {
    const message = `the pipeline root ${quote(gcsOutputDirectory)} ${whyNot}`;
    const place = places.pipelineRoot;
    yield problem("pipeline-root-invalid", place, message, storageHint);
  }
  const declarations = root?.inputDefinitions?.parameters ?? {};
  for (const name of Object.keys(parameterValues)) {
    const path = pointer(places.values, name);
    const declared = ownEntry(declarations, name);
    const value = ownEntry(parameterValues, name);
    if (declared === undefined) {
      yield problem(
        "runtime-parameter-unknown",
        path,
        `the pipeline has no input ${quote(name)}`,
        near(name, declarations),
      );
      continue;
    }
    const kind = kindOf(declared);
    if (kind === "TASK_FINAL_STATUS" || kind === "TASK_CONFIG") {
      const message = `the input ${quote(name)} is of type ${kind}, which no run can give a value`;
      yield problem("runtime-parameter-type", path, message, "leave it out");
    } else if (kind === undefined || !fitsKind(value, kind)) {
      const message = `the input ${quote(name)} is of type ${kind ?? "unspecified"} and cannot be ${describeValue(value)}`;
      yield problem("runtime-parameter-type", path, message);
    } else if (
      declared.literals.length > 0 &&
      !declared.literals.some((literal) => jsonEquals(literal, value))
    ) {
      const allowed = JSON.stringify(declared.literals.slice(0, 10)).slice(1, -1);
      const message = `${describeValue(value)} is not one of the literals of ${quote(name)}`;
      yield problem("runtime-parameter-not-literal", path, message, `use one of ${allowed}`);
    } else if (kind === "NUMBER_INTEGER" && isBadInteger(value)) {
      const message = `${String(value)} is not an integer between -(2^53 - 1) and 2^53 - 1`;
      yield problem("runtime-integer-range", path, message);
    }
  }
  if (Object.keys(parameters).length > 0) {
    const text = "the back end does not read the old typed values";
    yield problem("runtime-parameters-deprecated", places.typedValues, text, "use parameterValues");
  }
}

/** The required inputs of a pipeline that a runtime configuration gives no value; its values stand at a pointer. */
export function* missingValueProblems(
  { root }: Pipeline["spec"],
  { parameterValues }: RuntimeConfig,
  at: string,
): Generator<RuntimeFinding> {
  for (const [name, declared] of Object.entries(root?.inputDefinitions?.parameters ?? {})) {
    if (declared.isOptional || declared.defaultValue !== undefined || Object.hasOwn(parameterValues, name))
      continue;
    const message = `the pipeline needs a value for ${quote(name)}, of type ${kindOf(declared) ?? "unspecified"}`;
    const sought = [pointer(at, name)];
    yield { ...problem("runtime-parameter-missing", at, message, `add ${quote(name)}`), part: "key", sought };
  }
}

function problem(code: string, at: string, message: string, hint?: Finding["hint"]): RuntimeFinding {
  const isKey = code.endsWith("unknown");
  return { code, at, part: isKey ? "key" : "value", message, hint };
}
