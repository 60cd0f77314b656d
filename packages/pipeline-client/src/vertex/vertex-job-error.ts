import { shown } from "../shown.js";
import type { VertexJob, VertexTask } from "./vertex-job.js";

/** A job has not ended well. */
export class VertexJobError extends Error {
  override readonly name = "VertexJobError";
  readonly job: VertexJob;
  /** The task that explains the failure, if there is one. */
  readonly task: VertexTask | undefined;

  constructor(job: VertexJob) {
    const tasks = (job.jobDetail?.taskDetails ?? []).filter(({ state }) => state === "FAILED");
    const parents = new Set(tasks.map(({ parentTaskId }) => parentTaskId));
    // What has only failed because of another has nothing inside that did.
    const task = tasks.find(({ taskId }) => !parents.has(taskId)) ?? tasks[0];
    const name = shown(job.name.split("/").at(-1) ?? job.name);
    const where = task === undefined ? "" : `: task ${JSON.stringify(shown(task.taskName ?? ""))} failed`;
    const reason = task?.error?.message || job.error?.message;
    super(
      `the job ${name} has ended as ${shown(job.state ?? "FAILED")}${where}${reason ? `: ${shown(reason)}` : ""}`,
    );
    this.job = job;
    this.task = task;
  }
}
