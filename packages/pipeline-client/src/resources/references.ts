import type { CallOptions } from "../client-options.js";
import { basePath, type ClientContext, namespaceQuery } from "../context.js";
import { findByName, type NameSearch } from "../find-by-name.js";
import { type ApiRequest, pathSegment, type Query } from "../http/api-request.js";
import { askFor, tell } from "../http/read-answer.js";
import type { Call, Session } from "../http/session.js";
import { type Reference, readReference } from "../reference.js";
import { type Experiment, readExperiment } from "../wire/experiment.js";
import type { FieldReader } from "../wire/read-message.js";
import { type RecurringRun, readRecurringRun } from "../wire/recurring-run.js";
import { type Run, readRun } from "../wire/run.js";
import {
  type PipelineVersion,
  readPipeline,
  readVersion,
  type UploadedPipeline,
} from "../wire/uploaded-pipeline.js";

/** Finds one kind of thing by whatever it is called. */
export interface Finder<T> {
  /** The thing itself. */
  get(reference: Reference, call: Call): Promise<T>;
  /** Its id: without a request where that is what was given. */
  idOf(reference: Reference, call: Call): Promise<string>;
}

function createFinder<T>(context: ClientContext, search: NameSearch<T>): Finder<T> {
  const { session } = context;
  const { kind, idOf } = search;
  const find = (name: string, call: Call): Promise<T> => findByName(session, search, name, call);
  return {
    async get(reference, call) {
      const found = readReference(`a ${kind}`, reference);
      if ("name" in found) return find(found.name, call);
      return askById(session, search, found.id, call);
    },
    async idOf(reference, call) {
      const found = readReference(`a ${kind}`, reference);
      return "id" in found ? found.id : idOf(await find(found.name, call));
    },
  };
}

/** What is asked for by its id. */
type Identified<T> = Pick<NameSearch<T>, "kind" | "path" | "read" | "idOf">;

/**
 * Asks for one thing of a kind. An answer about another one, such as that of a cache in between, is none; databases may take capitals for
 * equal, and blanks at the end for nothing.
 */
export async function askById<T>(
  session: Session,
  { kind, path, read, idOf }: Identified<T>,
  id: string,
  call: Call,
): Promise<T> {
  const request = getRequest(path, id);
  const found = await askFor(session, request, call, read);
  const answered = idOf(found);
  const [one, other] = [answered, id.toWellFormed()].map((each) => each.trim().toLowerCase());
  if (one === other) return found;
  const reason = `the answer is about the ${kind} ${JSON.stringify(answered)}, and ${JSON.stringify(id)} was asked for`;
  throw session.unusable(request, reason);
}

/** The request for one thing of a kind. */
function getRequest(path: string, id: string): ApiRequest {
  return { method: "GET", path: `${path}/${pathSegment(id)}`, isRepeatable: true };
}

/** Runs, as they are asked for by their id. */
export const runById: Identified<Run> = {
  kind: "run",
  path: `${basePath}/runs`,
  read: readRun,
  idOf: ({ runId }) => runId,
};

/**
 * Pipelines: those of the namespace before those that are shared.
 *
 * @param which  `own` for those of the namespace alone, `clashing` for those that would be in the way of a new one of that name
 */
export function pipelineFinder(
  context: ClientContext,
  namespace: string | undefined = context.namespace,
  which: "all" | "own" | "clashing" = "all",
): Finder<UploadedPipeline> {
  const shared: Query = [];
  const own = namespace === undefined || namespace === "" ? shared : namespaceQuery(namespace);
  return createFinder(context, {
    kind: "pipeline",
    path: `${basePath}/pipelines`,
    member: "pipelines",
    read: readPipeline,
    nameKeys: which === "clashing" ? ["name"] : ["name", "displayName"],
    idOf: ({ pipelineId }) => pipelineId,
    scopes: which !== "all" || own === shared ? [own] : [own, shared],
  });
}

/** Versions of one pipeline. */
export function versionFinder(context: ClientContext, pipelineId: string): Finder<PipelineVersion> {
  return createFinder(context, {
    kind: "version",
    path: `${basePath}/pipelines/${pathSegment(pipelineId)}/versions`,
    member: "pipelineVersions",
    read: readVersion,
    nameKeys: ["name", "displayName"],
    idOf: ({ pipelineVersionId }) => pipelineVersionId,
    scopes: [[]],
  });
}

export function experimentFinder(
  context: ClientContext,
  namespace: string | undefined = context.namespace,
): Finder<Experiment> {
  return createFinder(context, {
    kind: "experiment",
    path: `${basePath}/experiments`,
    member: "experiments",
    read: readExperiment,
    nameKeys: ["displayName"],
    idOf: ({ experimentId }) => experimentId,
    scopes: [namespaceQuery(namespace)],
  });
}

export function recurringRunFinder(context: ClientContext): Finder<RecurringRun> {
  return createFinder(context, {
    kind: "recurring run",
    path: `${basePath}/recurringruns`,
    member: "recurringRuns",
    read: readRecurringRun,
    nameKeys: ["displayName"],
    idOf: ({ recurringRunId }) => recurringRunId,
    scopes: [namespaceQuery(context.namespace)],
  });
}

/** Whose runs are listed: those of an experiment, which has a namespace of its own, or those of a namespace. */
export function runScope(
  context: ClientContext,
  { experiment, namespace = context.namespace }: RunScope,
): (call: Call) => Promise<Query> {
  return async (call) =>
    experiment === undefined
      ? namespaceQuery(namespace)
      : [["experiment_id", await experimentFinder(context, namespace).idOf(experiment, call)]];
}

interface RunScope {
  readonly experiment?: Reference | undefined;
  readonly namespace?: string | undefined;
}

/** A call that does something with what is named, and gives nothing. */
type Action = (reference: Reference, options?: CallOptions) => Promise<void>;

/** Makes calls that name a thing and do something with it. */
export function actionsOn(
  { session }: ClientContext,
  pathOf: (reference: Reference, call: Call) => Promise<string>,
): (verb: string, isRepeatable?: boolean) => Action {
  return (verb, isRepeatable = true) =>
    async (reference, options) => {
      const call = session.start(options);
      const path = `${await pathOf(reference, call)}:${verb}`;
      await tell(session, { method: "POST", path, isRepeatable }, call);
    };
}

/** Posts a message and reads what was made. */
export function post<T>(
  { session }: ClientContext,
  path: string,
  body: string,
  call: Call,
  read: FieldReader<T>,
): Promise<T> {
  return askFor(session, { method: "POST", path, body, isRepeatable: false }, call, read);
}
