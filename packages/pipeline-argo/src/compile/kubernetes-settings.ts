import { type ExecutorSettings, readJson } from "@wye/pipeline-spec";
import { annotationFindings, isObjectName, labelFindings } from "../problems/kubernetes-names.js";
import type { Finding } from "../problems/problem-book.js";
import { quote } from "../problems/quote.js";
import type { Compilation } from "./compilation.js";

/** Saves the settings of an executor as they stand in the file, and tells what the back end refuses of them. */
export function checkKubernetesSettings(name: string, label: string, compilation: Compilation): void {
  const settings = compilation.settingsOf(label);
  if (settings === undefined) return;
  const context = `error processing component name=${JSON.stringify(name)}: failed to add Kubernetes spec for ${name}: `;
  const isChecked = compilation.checkedLabels.has(label);
  compilation.save(`kubernetes-${name}`, () => settings.text, isChecked ? undefined : settings.path);
  refuseRoot(name, settings, context, compilation);
  if (isChecked) return;
  compilation.checkedLabels.add(label);
  refuseMistakes(name, settings, context, compilation);
  warnOfIgnored(settings, compilation);
  for (const finding of refusedByKubernetes(settings)) compilation.problems.add(finding);
}

/** Names and labels with which Kubernetes makes no pod. */
function* refusedByKubernetes({ config, path }: ExecutorSettings): Generator<Finding> {
  const { labels = {}, annotations = {} } = config.podMetadata ?? {};
  yield* labelFindings(labels, `${path}/podMetadata/labels`);
  yield* annotationFindings(annotations, `${path}/podMetadata/annotations`);
  yield* labelFindings(config.nodeSelector?.labels ?? {}, `${path}/nodeSelector/labels`);
  for (const field of ["secretAsVolume", "secretAsEnv", "imagePullSecret"] as const)
    for (const [at, { secretName }] of config[field].entries())
      yield* nameFindings(secretName, `${path}/${field}/${at}/secretName`);
  for (const field of ["configMapAsVolume", "configMapAsEnv"] as const)
    for (const [at, { configMapName }] of config[field].entries())
      yield* nameFindings(configMapName, `${path}/${field}/${at}/configMapName`);
  for (const [at, { pvcReference }] of config.pvcMount.entries())
    if (pvcReference?.$case === "constant")
      yield* nameFindings(pvcReference.value, `${path}/pvcMount/${at}/constant`);
}

/** Without a name there is another way to it. */
function* nameFindings(name: string, path: string): Generator<Finding> {
  if (name !== "" && !isObjectName(name))
    yield { code: "kubernetes-name", path, message: `${quote(name)} is no name` };
}

function refuseMistakes(
  name: string,
  { json, path }: ExecutorSettings,
  context: string,
  { problems }: Compilation,
): void {
  const says = `failed to unmarshal kubernetes spec for component ${JSON.stringify(name)}: proto:`;
  const read = readJson("KubernetesExecutorConfig", json, { deprecations: false });
  for (const { severity, code, path: at, message, hint } of read.problems) {
    if (severity !== "error") continue;
    problems.add({
      code: "invalid-kubernetes-settings",
      path: `${path}${at}`,
      part: code === "unknown-field" ? "key" : "value",
      message,
      backEnd: `${context}${says}`,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

function refuseRoot(
  name: string,
  { config, path }: ExecutorSettings,
  context: string,
  { settings, problems }: Compilation,
): void {
  const { defaultRunAsUser, defaultRunAsNonRoot } = settings.options;
  const { runAsUser, runAsNonRoot } = config.securityContext ?? {};
  const demanded = defaultRunAsNonRoot ?? runAsNonRoot ?? false;
  if (!settings.target.refusesRoot || defaultRunAsUser !== undefined || runAsUser !== "0" || !demanded)
    return;
  const says = `runAsUser=0 (root) is not allowed for component ${JSON.stringify(name)}`;
  problems.add({
    code: "root-user",
    path: `${path}/securityContext/runAsUser`,
    message: "the container is to run as root and must not",
    backEnd: `${context}${says}: runAsNonRoot is true; use a non-root UID instead`,
  });
}

/** Settings that drivers read and forget. */
function warnOfIgnored({ config, path }: ExecutorSettings, { problems }: Compilation): void {
  const ignored = {
    podAffinity: config.podAffinity.length > 0,
    enabledSharedMemory: config.enabledSharedMemory !== undefined,
  };
  for (const [field, isSet] of Object.entries(ignored)) {
    if (!isSet) continue;
    const message = `${field} has no effect: the back end ignores it`;
    problems.add({ code: "ignored-setting", path: `${path}/${field}`, part: "key", message });
  }
}
