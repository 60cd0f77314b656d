import { createRunFollower } from "@wye-examples/follow-a-run";
import { createPipelineEditor } from "@wye-examples/pipeline-editor";
import { createRunBoard } from "@wye-examples/run-a-pipeline";
import type { Leg } from "./leg.js";

/** What there is for pipeline specifications: the editor, and a run to watch, here or on a cluster. */
export function pipelinesLeg(banner: string): Leg {
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
      "@wye/pipeline-argo",
    ],
    install: "@wye/pipeline-validator",
    figure: {
      text: "Checking the 76 files of the corpus takes 3.4 ms of CPU each: half of what a YAML library takes for reading them alone.",
      date: "23 November 2026",
      bench: "pipeline-validator corpus",
    },
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
