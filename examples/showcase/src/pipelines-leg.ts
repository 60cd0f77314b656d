import { createPipelineEditor } from "@wye-examples/pipeline-editor";
import { createRunBoard } from "@wye-examples/run-a-pipeline";
import type { Leg } from "./leg.js";

/** What there is for pipeline specifications: the editor, and a run to watch. */
export function pipelinesLeg(): Leg {
  const edit = createPipelineEditor({ prefix: "/pipelines" });
  const board = createRunBoard({ prefix: "/pipelines/run" });
  return {
    id: "pipelines",
    title: "Pipelines",
    summary:
      "Everything that is wrong with a Kubeflow or Vertex pipeline specification, in milliseconds, with line, column and a hint; and runs of it without a cluster.",
    packages: [
      "@wye/pipeline-spec",
      "@wye/pipeline-resolver",
      "@wye/pipeline-validator",
      "@wye/pipeline-runner",
    ],
    links: [
      { label: "Check a pipeline", path: "/pipelines/" },
      { label: "Run a pipeline", path: "/pipelines/run/" },
    ],
    handler: (request, response, next) =>
      board.handler(request, response, () => edit(request, response, next)),
    close: board.close,
  };
}
