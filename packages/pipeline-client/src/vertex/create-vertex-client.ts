import { checkOptions, type KnownOptions } from "@wye/pipeline-spec";
import { PipelineClientError } from "../client-error.js";
import type { CallOptions } from "../client-options.js";
import { poll } from "../follow/poll.js";
import type { PollOptions, RunCursor } from "../follow/run-update.js";
import { stateChanges, withKnownTasks } from "../follow/state-changes.js";
import { type ApiRequest, pathSegment } from "../http/api-request.js";
import { createSession } from "../http/create-session.js";
import { askFor, tell } from "../http/read-answer.js";
import type { Session } from "../http/session.js";
import { hostAddress, requestOptions } from "../http/session-settings.js";
import { isInDoubt, withDoubt } from "../in-doubt.js";
import { pagedList } from "../lists/paged-list.js";
import { listVertexJobs } from "./list-vertex-jobs.js";
import { makeVertexJob } from "./make-vertex-job.js";
import type { VertexClient, VertexClientOptions, VertexJobUpdate } from "./vertex-client.js";
import { vertexHost } from "./vertex-host.js";
import { isFinalJobState, readVertexJob, type VertexJob } from "./vertex-job.js";
import { VertexJobError } from "./vertex-job-error.js";
import type { VertexJobOptions } from "./vertex-job-options.js";

const { auth: _, cookies: __, ...shared } = requestOptions;
const known: KnownOptions<VertexClientOptions> = {
  ...shared,
  project: "text",
  location: "text",
  token: "any",
  host: "any",
};

/** A client of the pipeline jobs of Vertex AI. Nothing of Google's libraries is needed. */
export function createVertexClient(options: VertexClientOptions): VertexClient {
  checkOptions("createVertexClient", options, known);
  const { project, location, token, host, ...settings } = options;
  if (typeof project !== "string" || project === "") throw new TypeError("`project` is the id of a project");
  if (typeof location !== "string" || !/^[a-z][a-z0-9-]*$/.test(location))
    throw new TypeError("`location` is one of Vertex AI, such as europe-west4");
  const address = hostAddress("host", host ?? vertexHost(location));
  const session = createSession(address, { ...settings, auth: { token } });
  const parent = `/v1/projects/${pathSegment(project)}/locations/${location}`;
  const pathOf = (job: string): string => jobPath(parent, job);

  const get = (job: string, given: CallOptions | undefined): Promise<VertexJob> => {
    const request: ApiRequest = { method: "GET", path: pathOf(job), isRepeatable: true };
    return askFor(session, request, session.start(given), readVertexJob);
  };
  const act = async (request: ApiRequest, given: CallOptions | undefined): Promise<void> => {
    await tell(session, request, session.start(given));
  };

  return {
    create: async (given) => create(session, parent, given),
    get: async (job, given) => get(job, given),
    list: (given = {}) => pagedList(() => listVertexJobs(session, `${parent}/pipelineJobs`, given)),
    cancel: async (job, given) =>
      act({ method: "POST", path: `${pathOf(job)}:cancel`, body: "{}", isRepeatable: true }, given),
    delete: async (job, given) => act({ method: "DELETE", path: pathOf(job), isRepeatable: false }, given),
    follow: (job, given = {}) => follow((one) => get(job, one), job, given, session),
    async wait(job, given = {}) {
      for await (const update of follow((one) => get(job, one), job, given, session)) {
        if (!update.isFinal) continue;
        if (update.state === "FAILED" || update.state === "CANCELLED") throw new VertexJobError(update.job);
        return update.job;
      }
      throw new PipelineClientError("following has ended before the job", { code: "invalid_response" });
    },
    link: (job) =>
      `https://console.cloud.google.com/vertex-ai/locations/${location}/pipelines/runs/${pathSegment(idOf(pathOf(job)))}?project=${encodeURIComponent(project)}`,
  };
}

const wholeName = /^projects\/([^/]+)\/locations\/([^/]+)\/pipelineJobs\/([^/]+)$/;

/** The path of a job, by its id or its whole name: a job of another place may have the same id. */
function jobPath(parent: string, job: string): string {
  const [, project = "", location, id] = wholeName.exec(`${job}`) ?? [];
  if (id !== undefined) {
    // Answers have the number of the project in place of its id.
    const isHere = [pathSegment(project), ...(/^\d+$/.test(project) ? [parent.split("/")[3]] : [])].some(
      (one) => parent === `/v1/projects/${one}/locations/${location}`,
    );
    if (isHere) return `${parent}/pipelineJobs/${pathSegment(id)}`;
    throw new TypeError(`${JSON.stringify(job)} is in another project or location than this client`);
  }
  if (typeof job === "string" && /^[^/?#\s]+$/.test(job)) return `${parent}/pipelineJobs/${pathSegment(job)}`;
  throw new TypeError(
    "a job is named by its id, or by its whole name: projects/…/locations/…/pipelineJobs/…",
  );
}

/** The last part of a path or a whole name. */
const idOf = (job: string): string => job.split("/").at(-1) ?? "";

/** Makes a job. Its id is that of this side, so that an answer that got lost can be asked for. */
async function create(
  session: Session,
  parent: string,
  options: VertexJobOptions & CallOptions,
): Promise<VertexJob> {
  const { signal, timeoutMs, deadlineMs, ...given } = options;
  const call = session.start({ signal, timeoutMs, deadlineMs });
  const { jobId, body } = await makeVertexJob(given, new Date(session.settings.clock.now()));
  const path = `${parent}/pipelineJobs`;
  const request: ApiRequest = {
    ...{ method: "POST", path, query: [["pipelineJobId", jobId]] },
    ...{ body: JSON.stringify(body), isRepeatable: false },
  };
  try {
    return await askFor(session, request, call, readVertexJob);
  } catch (error) {
    if (!(error instanceof PipelineClientError) || !isInDoubt(error)) throw error;
    const look: ApiRequest = { method: "GET", path: `${path}/${pathSegment(jobId)}`, isRepeatable: true };
    try {
      return await askFor(session, look, session.start({ signal, timeoutMs }), readVertexJob);
    } catch {
      signal?.throwIfAborted();
      // What went wrong first says more.
      const doubt = `nobody knows whether the job was made: ask for ${jobId} before you make it again`;
      throw withDoubt(error, doubt);
    }
  }
}

async function* follow(
  ask: (options: CallOptions) => Promise<VertexJob>,
  what: string,
  options: PollOptions,
  { settings }: Session,
): AsyncGenerator<VertexJobUpdate, void, undefined> {
  const answers = poll({ what: `the job ${idOf(what)}`, ask }, options, settings);
  let cursor: RunCursor | undefined;
  let known: VertexJob | undefined;
  let hasChanged = true;
  for (;;) {
    const { value: answer } = await answers.next(hasChanged);
    const job = withKnown(answer, known);
    known = job;
    const snapshot = { state: job.state, tasks: job.jobDetail?.taskDetails };
    const { cursor: next, changes } = stateChanges(snapshot, cursor);
    cursor = next;
    const isFinal = isFinalJobState(next.state);
    hasChanged = changes.length > 0;
    if (hasChanged) yield { job, state: next.state, isFinal, changes };
    if (isFinal) return;
  }
}

/** An answer that says nothing of the tasks, or of the state, says nothing new of them. */
function withKnown(job: VertexJob, known: VertexJob | undefined): VertexJob {
  const state = job.state ?? known?.state;
  const tasks = job.jobDetail?.taskDetails;
  const taskDetails = withKnownTasks({ state, tasks }, known?.jobDetail?.taskDetails);
  return {
    ...job,
    ...(state !== undefined && { state }),
    ...(taskDetails !== undefined && { jobDetail: { ...job.jobDetail, taskDetails } }),
  };
}
