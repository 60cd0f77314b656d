import { type ComponentSpec, type ExecutorSpec, pointer, writeJson } from "@wye/pipeline-spec";
import { quote } from "../problems/quote.js";
import { messageText } from "../text/json-text.js";
import type { Compilation } from "./compilation.js";
import type { ComponentRecord } from "./component-record.js";
import { checkKubernetesSettings } from "./kubernetes-settings.js";

/** Saves a component that is run by an executor, and what runs it, or refuses it. */
export function visitExecutor(component: ComponentRecord, path: string, compilation: Compilation): void {
  const { name, spec, label, executor, key } = component;
  if (executor === undefined) {
    refuse(component, compilation, {
      code: "unknown-executor",
      path: `${path}/executorLabel`,
      message: `there is no executor ${quote(label)}`,
      says: " not found in deployment config",
    });
    return;
  }
  checkKubernetesSettings(name, label, compilation);
  const endless = endlessAmount(component);
  if (endless !== undefined) {
    const at = pointer("/deploymentSpec/executors", label);
    const message = `the container asks for an amount without an end, which the back end cannot write`;
    const backEnd = "json: unsupported value";
    compilation.problems.add({
      code: "unwritable",
      path: `${at}/container/resources/${endless}`,
      message,
      backEnd,
    });
  }
  const implementation = implementationText(component);
  if (implementation === undefined) {
    refuse(component, compilation, {
      code: "unsupported-executor",
      path: pointer("/deploymentSpec/executors", label),
      message: `the executor ${quote(label)} is neither a container nor an importer`,
      says: ": non-container and non-importer executor not implemented",
    });
    return;
  }
  if (usesWorkspace(executor))
    compilation.workspaceUsers.set(label, pointer("/deploymentSpec/executors", label));
  warnOfShared(component, path, compilation);
  compilation.save(`components-${key}`, () => messageText(writeJson("ComponentSpec", spec)), path);
  compilation.save(`implementations-${key}`, implementation, pointer("/deploymentSpec/executors", label));
}

/** The first amount of the resources of a container that is no number of JSON. */
function endlessAmount({ executor }: ComponentRecord): string | undefined {
  const spec = executor?.spec;
  const resources = spec?.$case === "container" ? spec.value.resources : undefined;
  const found = Object.entries(resources ?? {}).find(
    ([, amount]) => typeof amount === "number" && !Number.isFinite(amount),
  );
  return found?.[0];
}

/** What makes the text of what drivers get to know of an executor; undefined for those that the back end does not run. */
function implementationText({ executor }: ComponentRecord): (() => string) | undefined {
  const spec = executor?.spec;
  if (spec?.$case === "container") return () => messageText(writeJson("PipelineContainerSpec", spec.value));
  if (spec?.$case === "importer") return () => messageText(writeJson("ImporterSpec", spec.value));
  return undefined;
}

/** Whether its pods mount the folder that the tasks of a run share. */
function usesWorkspace({ spec }: ExecutorSpec): boolean {
  if (spec?.$case === "importer") return spec.value.downloadToWorkspace;
  if (spec?.$case !== "container") return false;
  const { command, args, env } = spec.value;
  const texts = [...command, ...args, ...env.map(({ value }) => value)];
  return texts.some((text) => text.includes("{{$.workspace_path}}"));
}

interface Refusal {
  readonly code: "unknown-executor" | "unsupported-executor";
  readonly path: string;
  readonly message: string;
  readonly says: string;
}

function refuse(
  { name, label }: ComponentRecord,
  compilation: Compilation,
  { says, ...finding }: Refusal,
): void {
  const executor = `executor(label=${JSON.stringify(label)})${says}`;
  const backEnd = `error processing component name=${JSON.stringify(name)}: ${executor}`;
  compilation.refusedComponents.add(name);
  compilation.problems.add({ ...finding, backEnd });
}

/** Drivers read the component that was saved first for a container. */
function warnOfShared(component: ComponentRecord, path: string, compilation: Compilation): void {
  const first = compilation.firstOfKey(component);
  if (first.component === component) return;
  first.interface ??= interfaceOf(first.component.spec);
  if (first.interface === interfaceOf(component.spec)) return;
  const { name } = first.component;
  const runs = `the component ${quote(component.name)} runs with the inputs and outputs of ${quote(name)}`;
  compilation.problems.add({
    code: "shared-container",
    path,
    part: "key",
    message: `${runs}, which has an equal container`,
  });
}

/** The inputs and outputs of a component. */
function interfaceOf(spec: ComponentSpec): string {
  return messageText(writeJson("ComponentSpec", { ...spec, implementation: undefined }));
}
