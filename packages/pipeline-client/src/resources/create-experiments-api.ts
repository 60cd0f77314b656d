import { PipelineClientError } from "../client-error.js";
import { basePath, type ClientContext, namespaceQuery } from "../context.js";
import { pathSegment } from "../http/api-request.js";
import { askFor } from "../http/read-answer.js";
import type { Call } from "../http/session.js";
import { isAbsent } from "../is-absent.js";
import type { ExperimentFilter } from "../lists/filter.js";
import { type ListKind, listQuery } from "../lists/list-settings.js";
import { pagedList } from "../lists/paged-list.js";
import { readPages } from "../lists/read-pages.js";
import type { Reference } from "../reference.js";
import { type Experiment, readExperiment } from "../wire/experiment.js";
import { printRequest } from "../wire/write-message.js";
import { deleteThing } from "./delete-thing.js";
import type { CreateExperimentOptions, ExperimentSortKey, ExperimentsApi } from "./experiments-api.js";
import { makeExperiment } from "./known-calls.js";
import { actionsOn, experimentFinder } from "./references.js";

const path = `${basePath}/experiments`;

const kind: ListKind<ExperimentFilter, ExperimentSortKey> = {
  filter: {
    experimentId: "text",
    displayName: "text",
    description: "text",
    storageState: "text",
    createdAt: "time",
    lastRunCreatedAt: "time",
  },
  scope: { namespace: "text" },
  sortKeys: [
    "experimentId",
    "displayName",
    "createdAt",
    "lastRunCreatedAt",
    "description",
    "namespace",
    "storageState",
  ],
};

export function createExperimentsApi(context: ClientContext): ExperimentsApi {
  const { session } = context;
  const finder = experimentFinder(context);
  const pathOf = async (experiment: Reference, call: Call): Promise<string> =>
    `${path}/${pathSegment(await finder.idOf(experiment, call))}`;

  const make = (
    name: string,
    { description, namespace = context.namespace }: CreateExperimentOptions,
    call: Call,
    isRepeatable: boolean,
  ): Promise<Experiment> => {
    const body = printRequest({ displayName: name, description, namespace });
    return askFor(session, { method: "POST", path, body, isRepeatable }, call, readExperiment);
  };
  const action = actionsOn(context, pathOf);

  return {
    create: async (name, options = {}) => make(name, options, session.start(options, makeExperiment), false),
    async ensure(name, options = {}) {
      const call = session.start(options, makeExperiment);
      const named = experimentFinder(context, options.namespace);
      try {
        return await named.get({ name }, call);
      } catch (error) {
        if (!isAbsent(error)) throw error;
      }
      try {
        // Names are unique: asked twice, the server refuses the second.
        return await make(name, options, call, true);
      } catch (error) {
        // Somebody else was quicker, or the answer to the first try was lost.
        if (!isCode(error, "conflict")) throw error;
        return named.get({ name }, call);
      }
    },
    get: async (experiment, options) => finder.get(experiment, session.start(options)),
    list(options = {}) {
      const query = listQuery(options, kind);
      const { namespace = context.namespace } = options;
      const scope = async () => namespaceQuery(namespace);
      const source = { path, member: "experiments", read: readExperiment, query, scope };
      return pagedList(() => readPages(session, source, () => session.start(query.call)));
    },
    archive: action("archive"),
    unarchive: action("unarchive"),
    async delete(experiment, options) {
      const call = session.start(options);
      await deleteThing(context, await pathOf(experiment, call), call);
    },
  };
}

function isCode(error: unknown, code: PipelineClientError["code"]): boolean {
  return error instanceof PipelineClientError && error.code === code;
}
