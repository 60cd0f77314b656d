import type { Run, RunTaskDetail } from "../wire/run.js";

/** Nodes that the workflow engine has for itself, in every pipeline. */
const engineNodes = /^(root|executor|iteration-[\w-]*|.*-driver|.*-iterator)$/;

/** Whether a step is what a task of the pipeline does, as far as its name tells: servers up to 2.18 list nodes of the workflow engine. */
export function isPipelineTask({ displayName = "", taskId }: RunTaskDetail, run: Run): boolean {
  const details = run.runDetails?.taskDetails ?? [];
  // The node of the whole workflow is named after it, with five characters of its own.
  const isWorkflow = /-[a-z0-9]{5}$/.test(displayName) && details[0]?.taskId === taskId;
  return displayName !== "" && !engineNodes.test(displayName) && !isWorkflow;
}

/** The tasks of a run that have failed, the innermost first: that is the one that explains the others. */
export function failedTasks(run: Run): readonly RunTaskDetail[] {
  const failed = (run.runDetails?.taskDetails ?? []).filter(({ state }) => state?.toUpperCase() === "FAILED");
  const own = failed.filter((task) => isPipelineTask(task, run));
  const known = own.length > 0 ? own : failed;
  const told = ({ error }: RunTaskDetail): number => (error?.message ? 0 : 1);
  const parents = new Set(failed.map(({ parentTaskId }) => parentTaskId));
  const isParent = ({ taskId }: RunTaskDetail): number =>
    taskId !== undefined && parents.has(taskId) ? 1 : 0;
  const start = ({ startTime }: RunTaskDetail): number => startTime?.getTime() ?? 0;
  // What is inside of another has started later; what has only failed because of another has nothing inside that did.
  return [...known].sort(
    (a, b) =>
      isParent(a) - isParent(b) ||
      told(a) - told(b) ||
      (a.childTasks?.length ?? 0) - (b.childTasks?.length ?? 0) ||
      start(b) - start(a),
  );
}
