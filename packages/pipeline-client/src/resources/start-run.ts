import { PipelineClientError } from "../client-error.js";
import { basePath, type ClientContext } from "../context.js";
import type { Call } from "../http/session.js";
import { isInDoubt, withDoubt } from "../in-doubt.js";
import { newId } from "../new-id.js";
import { type Run, readRun } from "../wire/run.js";
import { printRequest } from "../wire/write-message.js";
import { createRun } from "./known-calls.js";
import { prepareRun, runPath } from "./prepare-run.js";
import { askById, post, runById } from "./references.js";
import type { CreateRunOptions } from "./runs-api.js";

/** Checks what is to be run, and starts it once. */
export async function startRun(context: ClientContext, options: CreateRunOptions): Promise<Run> {
  const call = context.session.start(options, createRun);
  const { name, members } = await prepareRun(context, options, call);
  const now = new Date(context.session.settings.clock.now()).toISOString().slice(0, 19).replace("T", " ");
  const runId = options.runId ?? newId();
  runPath(runId);
  const displayName = options.name ?? `${name} ${now}`;
  const body = printRequest({ displayName, runId, ...members });
  try {
    return await post(context, `${basePath}/runs`, body, call, readRun);
  } catch (error) {
    if (!(error instanceof PipelineClientError)) throw error;
    if (isTaken(error)) throw taken(error, runId);
    if (!isInDoubt(error)) throw error;
    const found = await lookUp(context, runId, error, call);
    // An id of the caller may be that of an older run.
    if (options.runId !== undefined && found.displayName !== displayName) throw taken(error, runId);
    return found;
  }
}

const isTaken = ({ serverMessage = "" }: PipelineClientError): boolean =>
  /UNIQUE constraint failed|Duplicate entry|duplicate key value/i.test(serverMessage);

function taken(cause: PipelineClientError, runId: string): PipelineClientError {
  const { status, serverCode, serverMessage, request, attempts } = cause;
  return new PipelineClientError(
    `there is a run with the id ${JSON.stringify(runId)}`,
    {
      code: "conflict",
      status,
      serverCode,
      serverMessage,
      request,
      attempts,
      remedy: "give another `runId`, or none",
    },
    { cause },
  );
}

/** Looks for a run whose answer was lost. It is not started again: the first request may still be on its way. */
async function lookUp(
  { session }: ClientContext,
  runId: string,
  error: PipelineClientError,
  { signal, timeoutMs }: Call,
): Promise<Run> {
  try {
    const call = session.start({ signal, timeoutMs, deadlineMs: Math.min(timeoutMs, 30_000) });
    return await askById(session, runById, runId, call);
  } catch {
    signal.throwIfAborted();
    // What went wrong first says more.
    if (error.status === 500) throw error;
    const doubt = `nobody knows whether the run was started: ask for ${runId} before you start it again`;
    throw withDoubt(error, doubt);
  }
}
