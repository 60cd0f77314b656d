import { createRunFollower } from "@wye-examples/follow-a-run";
import { createPipelineEditor } from "@wye-examples/pipeline-editor";
import { createRunBoard } from "@wye-examples/run-a-pipeline";
import { banner } from "./banner.js";
import type { Leg } from "./leg.js";

/** What there is for pipeline specifications: the editor, and a run to watch, here or on a cluster. */
export function pipelinesLeg(): Leg {
  const edit = createPipelineEditor({ prefix: "/pipelines", banner });
  const board = createRunBoard({ prefix: "/pipelines/run", banner });
  const follow = createRunFollower({ prefix: "/pipelines/follow", banner });
  return {
    id: "pipelines",
    title: "Pipelines",
    summary:
      "Everything that is wrong with a Kubeflow or Vertex pipeline specification, in milliseconds, with line, column and a hint; and runs of it, without a cluster or on one.",
    packages: [
      "@wye/pipeline-spec",
      "@wye/pipeline-resolver",
      "@wye/pipeline-validator",
      "@wye/pipeline-runner",
      "@wye/pipeline-client",
    ],
    install: "@wye/pipeline-validator",
    links: [
      { label: "Check a pipeline", path: "/pipelines/" },
      { label: "Run a pipeline", path: "/pipelines/run/" },
      { label: "Follow a run", path: "/pipelines/follow/" },
    ],
    handler: (request, response, next) =>
      board.handler(request, response, () => follow(request, response, () => edit(request, response, next))),
    close: board.close,
  };
}
