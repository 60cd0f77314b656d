import {
  type ComponentSpec,
  checkArguments,
  checkMessage,
  type ExecutorInput,
  ParameterType,
  type PipelineContainerSpec,
  PrimitiveType,
  RuntimeArtifact,
  Sha256Prefix,
  sha256,
  writeJson,
} from "@wye/pipeline-spec";
import { checkInputs } from "../values/check-values.js";
import type { TaskInputs } from "../values/task-values.js";
import { goJson } from "./go-json.js";

/** What the result of a task depends on, in the form that the back end takes its fingerprint of. Empty parts are left out. */
export interface CacheKeyParts {
  readonly inputArtifactNames?: { readonly [key: string]: { readonly artifactNames?: readonly string[] } };
  readonly inputParameterValues?: { readonly [name: string]: unknown };
  readonly outputArtifactsSpec?: { readonly [key: string]: unknown };
  readonly outputParametersSpec?: { readonly [key: string]: string };
  readonly containerSpec?: {
    readonly image?: string;
    /** Command and arguments, with placeholders as they are written. */
    readonly cmdArgs?: readonly string[];
    readonly pvcNames?: readonly string[];
  };
}

/** A key that the author of the task has chosen, instead of what the task depends on. */
export interface CustomCacheKey {
  readonly componentName: string;
  readonly cacheKey: string;
}

/** What the parts of a cache key are taken from. */
export interface CacheKeySource {
  readonly component: ComponentSpec;
  readonly container: PipelineContainerSpec;
  readonly inputs: TaskInputs;
  readonly executorInput: ExecutorInput;
  /** Names of the volume claims that are mounted, the one of the workspace included. */
  readonly claims?: readonly string[];
}

/** What changes from one run of a task to the next. */
export type CacheKeyRun = Omit<CacheKeySource, "component" | "container">;

/**
 * The parts of the cache key of a container task. Environment, resources, retries, names of tasks and defaults that the container
 * fills in itself do not count, as on the back end.
 */
export function cacheKeyParts(of: CacheKeySource): CacheKeyParts {
  checkArguments("cacheKeyParts", "object", { source: of });
  const { component, container, ...run } = of;
  checkArguments("cacheKeyParts", "object", { component });
  checkMessage("cacheKeyParts", "PipelineContainerSpec", { container });
  checkRun("cacheKeyParts", run);
  const containerSpec = withoutEmpty({ ...containerParts(container), pvcNames: claimNames(run) });
  return withoutEmpty({ ...runParts(run), outputParametersSpec: outputTypes(component), containerSpec });
}

/**
 * The cache keys of a task that runs several times: `compileCacheKey(component, container)(run)` is
 * `cacheKey(cacheKeyParts({ component, container, ...run }))`, without looking at the container again.
 */
export function compileCacheKey(
  component: ComponentSpec,
  container: PipelineContainerSpec,
): (run: CacheKeyRun) => string {
  checkArguments("compileCacheKey", "object", { component });
  checkMessage("compileCacheKey", "PipelineContainerSpec", { container });
  const outputParametersSpec = outputTypes(component);
  const parts = goJson(containerParts(container));
  if (parts === "{}") return (run) => cacheKey(cacheKeyParts({ component, container, ...run }));
  // The keys are sorted, so that the fingerprint begins with the container.
  const prefix = new Sha256Prefix(`{"containerSpec":${parts.slice(0, -1)}`);
  return (run) => {
    checkRun("compileCacheKey", run);
    const claims = claimNames(run);
    const others = goJson(withoutEmpty({ ...runParts(run), outputParametersSpec }));
    const volumes = claims.length === 0 ? "" : `,"pvcNames":${goJson(claims)}`;
    return prefix.digest(`${volumes}}${others === "{}" ? "" : ","}${others.slice(1)}`);
  };
}

function checkRun(caller: string, run: unknown): void {
  checkArguments(caller, "object", { run });
  // It is an object.
  const { inputs, executorInput, claims = [] } = run as Partial<CacheKeyRun>;
  checkInputs(caller, inputs);
  checkArguments(caller, "list", { "inputs.defaulted": inputs?.defaulted, claims });
  checkArguments(caller, "object", { executorInput });
}

function containerParts({ image, command, args }: PipelineContainerSpec) {
  return withoutEmpty({ image, cmdArgs: [...command, ...args] });
}

const claimNames = ({ claims = [] }: CacheKeyRun): readonly string[] => [...new Set(claims)].sort();

function runParts({ inputs, executorInput }: CacheKeyRun) {
  const defaulted = new Set(inputs.defaulted);
  const given = Object.entries(inputs.parameters).filter(([name]) => !defaulted.has(name));
  return {
    inputArtifactNames: mapEntries(inputs.artifacts, ({ artifacts }) =>
      withoutEmpty({ artifactNames: artifacts.map(({ name }) => name) }),
    ),
    inputParameterValues: Object.fromEntries(given),
    outputArtifactsSpec: outputArtifacts(executorInput),
  };
}

/** What is known of each output before it is there: the first of its list, which may be empty. */
function outputArtifacts({ outputs }: ExecutorInput): { readonly [key: string]: unknown } {
  const found = Object.entries(outputs?.artifacts ?? {}).flatMap(
    ([
      key,
      {
        artifacts: [artifact],
      },
    ]) => {
      if (artifact === undefined) return [];
      const { name, type, metadata } = artifact;
      return [[key, writeJson("RuntimeArtifact", RuntimeArtifact.create({ name, type, metadata }))] as const];
    },
  );
  return Object.fromEntries(found);
}

function outputTypes({ outputDefinitions }: ComponentSpec): { readonly [key: string]: string } {
  return mapEntries(outputDefinitions?.parameters ?? {}, ({ parameterType, type }) =>
    parameterType === ParameterType.PARAMETER_TYPE_ENUM_UNSPECIFIED
      ? nameOf(PrimitiveType, type)
      : nameOf(ParameterType, parameterType),
  );
}

/**
 * The fingerprint under which the result of a task is found again: equal to the one of the back end. Artifacts count by name, which
 * on the back end is their id in its store.
 */
export function cacheKey(of: CacheKeyParts | CustomCacheKey): string {
  checkArguments("cacheKey", "object", { parts: of });
  return sha256(fingerprint(of));
}

/** What the fingerprint is taken of, as text. */
export function fingerprint(of: CacheKeyParts | CustomCacheKey): string {
  if (!("cacheKey" in of)) return goJson(of);
  return of.componentName === "" ? of.cacheKey : `${of.componentName}\0${of.cacheKey}`;
}

const mapEntries = <T, R>(
  map: { readonly [key: string]: T },
  convert: (value: T) => R,
): { [key: string]: R } =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, convert(value)]));

/** Without texts, lists and maps that are empty, as protobuf writes JSON. */
function withoutEmpty<T extends object>(of: T): Partial<T>;
function withoutEmpty(of: object): object {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => Object.keys(value).length > 0));
}

function nameOf(names: { readonly [name: string]: number }, value: number): string {
  return Object.keys(names).find((name) => names[name] === value) ?? String(value);
}
