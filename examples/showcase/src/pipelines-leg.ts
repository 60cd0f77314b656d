import type { Leg } from "./leg.js";

/** What there is for pipeline specifications. */
export const pipelinesLeg: Leg = {
  id: "pipelines",
  title: "Pipelines",
  summary:
    "Kubeflow and Vertex pipeline specifications as types: files that know their lines, strict JSON, and bytes.",
  packages: ["@wye/pipeline-spec"],
  links: [],
};
