import type { FakeRequest, Route } from "./fake-request.js";
import type { FakeStore } from "./fake-store.js";
import { invalid, refusal, uploadRefusal } from "./refusal.js";
import type { RunRow } from "./rows.js";
import { planned, plannedEnd, rootTasks } from "./run-plan.js";

/** Finds a run that may be touched. */
type FindRun = (request: FakeRequest, id: string, verb: string, wrapping: string, missing?: string) => RunRow;

/** What can be done with a run that is there. */
export function actionsOfRuns(store: FakeStore, find: FindRun): readonly Route[] {
  function terminate(request: FakeRequest, id: string): unknown {
    const wrapping = "Failed to terminate a run";
    const missing = `Failed to terminate run ${id} due to error fetching the run`;
    const run = find(request, id, "terminate", wrapping, missing);
    if (!/^(PENDING|RUNNING|PAUSED|)$/.test(run.state)) {
      throw invalid(`${wrapping}: Failed to terminate run ${id}`, `${wrapping} ${id}. Row not found`);
    }
    run.state = "CANCELING";
    run.plan = (run.isPlanned ?? run.plan.length > 0) ? plannedEnd(run, store.now()) : [];
    return {};
  }

  function retry(request: FakeRequest, id: string): unknown {
    const wrapping = "Failed to retry a run";
    const run = find(
      request,
      id,
      "retry",
      wrapping,
      `Failed to retry run ${id} due to error fetching the run`,
    );
    if (run.phase === "") {
      const reason = `Failed to retry run ${id} due to error fetching workflow manifest`;
      throw refusal(
        10,
        `${wrapping}: BadRequestError: ${reason}: Invalid input error: Workflow manifest cannot be empty`,
        reason,
      );
    }
    if (!/^(Failed|Error)$/.test(run.phase)) {
      const reason = "Workflow must be Failed/Error to retry";
      throw refusal(
        10,
        `${wrapping}: Failed to retry run ${id}: BadRequestError: ${reason}: workflow cannot be retried`,
        reason,
      );
    }
    run.state = "RUNNING";
    run.phase = "Running";
    run.finishedAt = 0;
    run.message = "";
    // The history starts anew.
    run.history = [{ at: store.seconds(), state: "RUNNING" }];
    const manifest = run.spec ?? store.versions.get(run.versionId)?.spec ?? {};
    const { id: runId, displayName, parameters = {} } = run;
    const steps = store.plan({ runId, displayName, parameters, tasks: rootTasks(manifest) });
    run.plan = planned(steps, store.now());
    run.isPlanned = steps.length > 0;
    return {};
  }

  function archive(request: FakeRequest, id: string): unknown {
    const missing = `Failed to archive run ${id} as it failed to be retrieved`;
    find(request, id, "archive", "Failed to archive a run", missing).storageState = "ARCHIVED";
    return {};
  }

  function unarchive(request: FakeRequest, id: string): unknown {
    const wrapping = "Failed to unarchive a run";
    const run = find(
      request,
      id,
      "unarchive",
      wrapping,
      `Failed to unarchive run ${id} as it does not exist`,
    );
    if (store.experiments.get(run.experimentId)?.storageState === "ARCHIVED") {
      const reason = `Failed to unarchive run ${id} as experiment ${run.experimentId} must be un-archived first`;
      const advice = "Unarchive the experiment first to allow the run to be restored";
      throw refusal(9, `${wrapping}: FailedPreconditionError: ${reason}: ${advice}`, reason);
    }
    run.storageState = "AVAILABLE";
    return {};
  }

  const action = (verb: string, handle: (request: FakeRequest, id: string) => unknown): Route => ({
    method: "POST",
    pattern: new RegExp(`^/runs/([^/:]*):${verb}$`),
    handle: (request, [id = ""]) => handle(request, id),
  });
  return [
    action("terminate", terminate),
    action("retry", retry),
    action("archive", archive),
    action("unarchive", unarchive),
    {
      method: "GET",
      pattern: /^\/runs\/([^/:]*)\/nodes\/([^/:]*)\/artifacts\/([^/:]*):read$/,
      handle: () => {
        throw uploadRefusal(404, "artifact not found: <nil>", "artifact not found: <nil>");
      },
    },
  ];
}
