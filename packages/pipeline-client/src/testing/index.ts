export type { AccessQuestion, AccessReview } from "./access.js";
export {
  createFakePipelineServer,
  type FakePipelineServer,
  type FakePipelineServerOptions,
} from "./fake-pipeline-server.js";
export type { FakeStore } from "./fake-store.js";
export type * from "./rows.js";
export type { PlannedRun, RunPlan, RunStep } from "./run-plan.js";
export { type ListeningFakePipelineServer, startFakePipelineServer } from "./start-fake-pipeline-server.js";
