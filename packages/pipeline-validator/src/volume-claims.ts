import { ownEntry, type PipelineGraph, type TaskNode } from "@wye/pipeline-spec";
import { type ContainerNode, containers, isPseudoImage } from "./containers.js";
import { objectName } from "./kubernetes-names.js";
import { wrongAccessModes } from "./kubernetes-values.js";
import { parseQuantity } from "./quantity.js";
import { quote } from "./quote.js";
import type { Finding } from "./rule.js";

/** With these images the driver makes or deletes a claim instead of running them. */
const makesClaim = ({ spec }: ContainerNode): boolean => spec.image === "argostub/createpvc";
const deletesClaim = ({ spec }: ContainerNode): boolean => spec.image === "argostub/deletepvc";

/** True for a pipeline that makes or deletes claims. */
export const hasClaimTasks = (graph: PipelineGraph): boolean =>
  graph.once(containers).some(({ spec }) => isPseudoImage(spec.image));

/** The tasks whose container is of a kind: those that make a claim, unless said otherwise. */
export function claimTasks(
  graph: PipelineGraph,
  isKind: (container: ContainerNode) => boolean = makesClaim,
): readonly TaskNode[] {
  const found = graph.once(containers).filter(isKind);
  return found.flatMap(({ executor }) => executor.components.flatMap(({ uses }) => uses));
}

/** What is wrong with the tasks that make or delete volume claims. */
export function* wrongClaims(graph: PipelineGraph): Generator<Finding> {
  for (const task of claimTasks(graph)) {
    if (isNamed(task, "pvc_name") && isNamed(task, "pvc_name_suffix")) {
      const message = "only one of pvc_name and pvc_name_suffix can be other than empty";
      yield { at: `${task.path}/inputs/parameters/pvc_name`, part: "key", message };
    }
    yield* wrongConstants(task);
    yield* missing(task, "access_modes", "such as [ReadWriteOnce]");
    yield* missing(task, "size", "such as 5Gi");
  }
  for (const task of claimTasks(graph, deletesClaim)) {
    yield* missing(task, "pvc_name", "the claim that is to be deleted");
    yield* wrongConstants(task);
  }
}

/** True for a constant that is not empty: of other values nothing is known before the run. */
function isNamed(task: TaskNode, name: string): boolean {
  const source = task.input("parameter", name)?.source;
  if (source?.kind !== "constant" || typeof source.value !== "string") return false;
  return source.value !== "" && !source.value.includes("{{");
}

/** The driver looks at what the task gives: the default of the component comes later, and too late for a claim. */
function* missing(task: TaskNode, name: string, example: string): Generator<Finding> {
  const source = task.input("parameter", name)?.source;
  const hint = `add ${name}, ${example}`;
  if (source?.kind === "constant" && (source.value === null || source.value === "")) {
    yield { at: source.at, message: `${name} of the volume claim is empty`, hint };
  }
  if (source !== undefined) return;
  const declared = ownEntry(task.component?.spec.inputDefinitions?.parameters, name);
  // A required input that is not given is a mistake of its own.
  if (declared !== undefined && !declared.isOptional && declared.defaultValue === undefined) return;
  const at = `${task.path}/inputs/parameters`;
  yield { at, part: "key", message: `the volume claim has no ${name}`, hint, sought: [`${at}/${name}`] };
}

/** What is wrong with the constants that a claim is made of. */
function* wrongConstants(task: TaskNode): Generator<Finding> {
  for (const { name, source } of task.inputs) {
    if (source?.kind !== "constant") continue;
    const { value, at } = source;
    if (name === "access_modes" && Array.isArray(value)) yield* wrongAccessModes(value, at);
    if (typeof value !== "string" || value === "" || value.includes("{{")) continue;
    if (name === "size" && !((parseQuantity(value) ?? -1) > 0)) {
      yield { at, message: `${quote(value)} is not an amount`, hint: "write 5Gi" };
    }
    if (!names.has(name) || objectName.test(fullName(name, value))) continue;
    const hint = "use lower-case letters, digits and -";
    yield { at, message: `${quote(value)} cannot be the ${name} of a volume claim`, hint };
  }
}

const names: ReadonlySet<string> = new Set([
  "pvc_name",
  "pvc_name_suffix",
  "storage_class_name",
  "volume_name",
]);

/** A suffix comes behind the name of the workflow. */
const fullName = (name: string, value: string): string => (name === "pvc_name_suffix" ? `w${value}` : value);
