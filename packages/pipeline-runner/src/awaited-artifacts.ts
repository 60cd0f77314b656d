import type { ArtifactList, RuntimeArtifact } from "@wye/pipeline-spec";
import type { Execution } from "./execution.js";
import { isFinal } from "./task-state.js";

/** The artifacts, of those that were made, that may still be given to a task, or be an output of the run. */
export function awaitedArtifacts(tasks: Iterable<Execution>): readonly RuntimeArtifact[] {
  return Array.from(tasks)
    .filter(({ view }) => !isFinal(view.state))
    .flatMap(listsFor)
    .flatMap((list) => list?.artifacts ?? []);
}

/** What a task that has not ended hands on: to what it runs, or what is in it as its own output. */
function listsFor({ view, plan, parent, component, dag, loop }: Execution): (ArtifactList | undefined)[] {
  const given = Object.values(view.inputs?.artifacts ?? {});
  if (loop !== undefined) {
    const made = loop.iterations.flatMap((one) => Object.values(one.view.outputs?.artifacts ?? {}));
    return loop.next < loop.iterations.length ? [...given, ...made] : made;
  }
  if (dag !== undefined) {
    const { implementation } = component.spec;
    const outputs = implementation?.$case === "dag" ? implementation.value.outputs?.artifacts : undefined;
    return Object.values(outputs ?? {})
      .flatMap(({ artifactSelectors }) => artifactSelectors)
      .map((made) => dag.outputs.get(made.producerSubtask)?.artifacts[made.outputArtifactKey]);
  }
  // What iterations that have not begun will be given their loop was given.
  if (view.inputs !== undefined || parent?.loop !== undefined) return given;
  return Object.values(plan?.node.spec.inputs?.artifacts ?? {}).map(({ kind }) => {
    if (kind?.$case === "componentInputArtifact") return parent?.view.inputs?.artifacts[kind.value];
    return kind && parent?.dag?.outputs.get(kind.value.producerTask)?.artifacts[kind.value.outputArtifactKey];
  });
}
