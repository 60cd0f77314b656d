import { PipelineClientError } from "../client-error.js";
import type { PipelineClientClock } from "../clock.js";
import { basePath, type ClientContext, namespaceQuery } from "../context.js";
import { findByName, type NameSearch } from "../find-by-name.js";
import { followRun } from "../follow/follow-run.js";
import { checkFollow, tooLong } from "../follow/poll.js";
import { isFinalState } from "../follow/run-state.js";
import type { FollowOptions, RunUpdate, WaitOptions } from "../follow/run-update.js";
import { callOptionsOf } from "../http/known-call.js";
import { askFor, tell } from "../http/read-answer.js";
import type { Call } from "../http/session.js";
import { unlessAborted } from "../http/unless-aborted.js";
import { isAbsent } from "../is-absent.js";
import type { RunFilter } from "../lists/filter.js";
import { type ListKind, listQuery } from "../lists/list-settings.js";
import { pagedList } from "../lists/paged-list.js";
import { readPages } from "../lists/read-pages.js";
import { type Reference, readReference } from "../reference.js";
import { RunError } from "../run-error.js";
import { type Run, readRun } from "../wire/run.js";
import { deleteThing } from "./delete-thing.js";
import { runPath } from "./prepare-run.js";
import { readArtifact, readLog } from "./read-log.js";
import { actionsOn, askById, type Finder, runById, runScope } from "./references.js";
import type { RunSortKey, RunsApi } from "./runs-api.js";
import { startRun } from "./start-run.js";

const path = `${basePath}/runs`;

const kind: ListKind<RunFilter, RunSortKey> = {
  filter: {
    runId: "text",
    displayName: "text",
    description: "text",
    state: "text",
    storageState: "text",
    experimentId: "text",
    recurringRunId: "text",
    createdAt: "time",
    scheduledAt: "time",
    finishedAt: "time",
    isFinished: "finished",
  },
  scope: { experiment: "any", namespace: "text" },
  sortKeys: [
    "runId",
    "displayName",
    "createdAt",
    "finishedAt",
    "scheduledAt",
    "description",
    "storageState",
    "state",
    "namespace",
  ],
};

export function createRunsApi(context: ClientContext): RunsApi {
  const { session } = context;
  const finder = runFinder(context);
  const pathOf = async (run: Reference, call: Call): Promise<string> => runPath(await finder.idOf(run, call));

  async function* follow(run: Reference, options: FollowOptions): AsyncGenerator<RunUpdate, void, undefined> {
    checkFollow(options);
    const runId = await finder.idOf(run, session.start(callOptionsOf(options)));
    const ask = (one: Parameters<typeof session.start>[0]) =>
      askById(session, runById, runId, session.start(one));
    yield* followRun(ask, `the run ${runId}`, options, session.settings);
  }
  const action = actionsOn(context, pathOf);

  return {
    create: async (options) => startRun(context, options),
    get: async (run, options) => finder.get(run, session.start(options)),
    list(options = {}) {
      const query = listQuery(options, kind);
      const scope = runScope(context, options);
      const source = { path, member: "runs", read: readRun, query, scope };
      return pagedList(() => readPages(session, source, () => session.start(query.call)));
    },
    async terminate(run, options) {
      const call = session.start(options);
      await terminate(context, await pathOf(run, call), call);
    },
    retry: action("retry", false),
    archive: action("archive"),
    unarchive: action("unarchive"),
    async delete(run, options) {
      const call = session.start(options);
      await deleteThing(context, await pathOf(run, call), call);
    },
    follow: (run, options = {}) => follow(run, options),
    async wait(run, options = {}) {
      checkFollow(options);
      return waitForEnd(follow(run, options), toldOf(options, session.settings.clock));
    },
    async log(run, source, options) {
      const call = session.start(options);
      return readLog(context, await finder.idOf(run, call), source, call);
    },
    async artifact(run, nodeId, name, options) {
      const call = session.start(options);
      return readArtifact(context, await pathOf(run, call), nodeId, name, call);
    },
  };
}

/** Runs may have any text for an id: a text is looked for as an id before it is looked for as a name. */
function runFinder(context: ClientContext): Finder<Run> {
  const { session, namespace } = context;
  const search: NameSearch<Run> = {
    ...runById,
    member: "runs",
    nameKeys: ["displayName"],
    scopes: [namespaceQuery(namespace)],
  };
  const byId = (id: string, call: Call): Promise<Run> => askById(session, search, id, call);

  async function get(reference: Reference, call: Call): Promise<Run> {
    const found = readReference("a run", reference);
    if ("id" in found) return byId(found.id, call);
    const isId = typeof reference === "string" && !/^\.{1,2}$/.test(reference);
    if (!isId) return findByName(session, search, found.name, call);
    try {
      return await byId(found.name, call);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      return findByName(session, search, found.name, call);
    }
  }

  return {
    get,
    async idOf(reference, call) {
      const found = readReference("a run", reference);
      return "id" in found ? found.id : (await get(reference, call)).runId;
    },
  };
}

/** Asks for the end of a run. A second time is refused by servers, and as good as the first. */
async function terminate(context: ClientContext, runAt: string, call: Call): Promise<void> {
  try {
    await tell(context.session, { method: "POST", path: `${runAt}:terminate`, isRepeatable: true }, call);
  } catch (error) {
    if (!(error instanceof PipelineClientError) || error.status !== 400) throw error;
    const request = { method: "GET", path: runAt, isRepeatable: true } as const;
    const { state } = await askFor(context.session, request, call, readRun);
    if (!isFinalState(state) && state !== "CANCELING") throw error;
  }
}

async function waitForEnd(
  updates: AsyncIterable<RunUpdate>,
  tell: (update: RunUpdate) => Promise<void>,
): Promise<Run> {
  let wasTerminated = false;
  for await (const update of updates) {
    await tell(update);
    wasTerminated ||= update.state === "CANCELING";
    if (!update.isFinal) continue;
    if (update.state === "FAILED" || update.state === "CANCELED")
      throw new RunError(update.run, wasTerminated);
    return update.run;
  }
  throw new PipelineClientError("following has ended before the run", { code: "invalid_response" });
}

/** Tells whoever waits of an update, and waits for what it does about that, but no longer than for the run. */
function toldOf(
  { onUpdate, signal = new AbortController().signal, maxWaitMs = Number.POSITIVE_INFINITY }: WaitOptions,
  clock: PipelineClientClock,
): (update: RunUpdate) => Promise<void> {
  const endsAt = clock.now() + maxWaitMs;
  return async (update) => {
    const pending: unknown = onUpdate?.(update);
    if (pending === undefined) return;
    let cancel = () => {};
    const over = new Promise<void>((resolve, reject) => {
      const leftMs = Math.max(0, endsAt - clock.now());
      const late = () => reject(tooLong(`onUpdate, of the run ${update.run.runId},`, maxWaitMs));
      // What has ended is told, whether or not somebody still writes of it.
      cancel = clock.after(leftMs, update.isFinal ? resolve : late);
    });
    await unlessAborted(signal, Promise.race([pending, over])).finally(cancel);
  };
}
