import { createPipelineEditor } from "@wye-examples/pipeline-editor";
import type { Leg } from "./leg.js";

/** What there is for pipeline specifications. */
export const pipelinesLeg: Leg = {
  id: "pipelines",
  title: "Pipelines",
  summary:
    "Everything that is wrong with a Kubeflow or Vertex pipeline specification, in milliseconds, with line, column and a hint.",
  packages: ["@wye/pipeline-spec", "@wye/pipeline-resolver", "@wye/pipeline-validator"],
  links: [{ label: "Check a pipeline", path: "/pipelines/" }],
  handler: createPipelineEditor({ prefix: "/pipelines" }),
};
