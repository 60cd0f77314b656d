import {
  checkOptions,
  describeValue,
  isObject,
  jsonProblem,
  type KnownOptions,
  readJson,
} from "@wye/pipeline-spec";
import type { ArgoOptions, CaBundle } from "./argo-options.js";

const known: KnownOptions<ArgoOptions> = {
  target: ["main", "2.17", "2.16"],
  driverImage: "text",
  launcherImage: "text",
  driverCommand: "any",
  launcherCommand: "any",
  pipelineRoot: "text",
  runtimeConfig: "any",
  displayName: "text",
  cacheDisabled: [true, false],
  mlPipelineTlsEnabled: [true, false],
  metadataTlsEnabled: [true, false],
  caBundle: "any",
  httpProxy: "text",
  httpsProxy: "text",
  noProxy: "text",
  namespace: "text",
  clusterDomain: "text",
  mlPipelineServiceName: "text",
  metadataServiceName: "text",
  runAsUser: "any",
  logLevel: "text",
  publishLogs: "text",
  serviceAccountName: "text",
  defaultWorkspace: "any",
  defaultRunAsUser: "any",
  defaultRunAsGroup: "any",
  defaultRunAsNonRoot: [true, false],
  defaultHostUsers: [true, false],
  driverPodLabels: "any",
  driverPodAnnotations: "any",
  specPatch: "any",
  maxSize: "limit",
  maxProblems: "limit",
};

const caBundle: KnownOptions<CaBundle> = { secretName: "text", configMapName: "text", key: "text" };

type Check = readonly [is: (value: unknown) => boolean, what: string];

const isText = (value: unknown) => typeof value === "string";
const texts: Check = [(value) => Array.isArray(value) && value.every(isText), "a list of texts"];
const whole: Check = [Number.isSafeInteger, "a whole number"];
const object: Check = [isObject, "an object"];
const textMap: Check = [
  (value) => isObject(value) && Object.values(value).every(isText),
  "an object whose values are texts",
];

/** The options whose values are no simple choice. */
const checks: { readonly [K in keyof ArgoOptions]?: Check } = {
  driverCommand: texts,
  launcherCommand: texts,
  runtimeConfig: object,
  runAsUser: whole,
  defaultRunAsUser: whole,
  defaultRunAsGroup: whole,
  defaultWorkspace: object,
  driverPodLabels: textMap,
  driverPodAnnotations: textMap,
  specPatch: object,
};

/**
 * Refuses options that there are not, and values that they cannot have.
 *
 * @throws TypeError that names the option
 */
export function checkArgoOptions(options: ArgoOptions): void {
  checkOptions("toArgoWorkflow", options, known);
  for (const [name, value] of Object.entries<unknown>({ ...options })) {
    const check = checks[name as keyof ArgoOptions];
    if (value === undefined || check === undefined || check[0](value)) continue;
    throw new TypeError(`the option "${name}" of toArgoWorkflow is ${check[1]}, not ${describeValue(value)}`);
  }
  for (const name of ["specPatch", "defaultWorkspace"] as const) checkJson(name, options[name]);
  if (options.caBundle !== undefined) checkOptions("the option caBundle", options.caBundle, caBundle);
  if (options.runtimeConfig !== undefined) checkRuntimeConfig(options.runtimeConfig);
}

function checkJson(name: string, value: unknown): void {
  const problem = value === undefined ? undefined : jsonProblem(value);
  if (problem !== undefined)
    throw new TypeError(`the option "${name}" of toArgoWorkflow has to be JSON: ${problem}`);
}

function checkRuntimeConfig(runtimeConfig: NonNullable<ArgoOptions["runtimeConfig"]>): void {
  const read = readJson("RuntimeConfig", runtimeConfig, { maxProblems: 1 });
  if (read.ok) return;
  const [{ path, message } = { path: "", message: "it cannot be read" }] = read.problems;
  throw new TypeError(`the option "runtimeConfig" of toArgoWorkflow, at ${path || "its root"}: ${message}`);
}
