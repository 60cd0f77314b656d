import { basePath, type ClientContext } from "../context.js";
import { pathSegment, type Query } from "../http/api-request.js";
import type { Call } from "../http/session.js";
import type { RecurringRunFilter } from "../lists/filter.js";
import { type ListKind, listQuery } from "../lists/list-settings.js";
import { pagedList } from "../lists/paged-list.js";
import { readPages } from "../lists/read-pages.js";
import type { Reference } from "../reference.js";
import { readRecurringRun } from "../wire/recurring-run.js";
import { Nested, printRequest } from "../wire/write-message.js";
import { deleteThing } from "./delete-thing.js";
import { createRecurringRun, deleteRecurringRun } from "./known-calls.js";
import { prepareRun } from "./prepare-run.js";
import type {
  CreateRecurringRunOptions,
  RecurringRunSortKey,
  RecurringRunsApi,
} from "./recurring-runs-api.js";
import { actionsOn, post, recurringRunFinder, runScope } from "./references.js";

const path = `${basePath}/recurringruns`;

const kind: ListKind<RecurringRunFilter, RecurringRunSortKey> = {
  filter: {
    recurringRunId: "text",
    displayName: "text",
    description: "text",
    createdAt: "time",
    updatedAt: "time",
  },
  scope: { experiment: "any", namespace: "text" },
  sortKeys: ["recurringRunId", "displayName", "createdAt", "updatedAt", "description"],
};

export function createRecurringRunsApi(context: ClientContext): RecurringRunsApi {
  const { session } = context;
  const finder = recurringRunFinder(context);
  const pathOf = async (recurringRun: Reference, call: Call): Promise<string> =>
    `${path}/${pathSegment(await finder.idOf(recurringRun, call))}`;
  const action = actionsOn(context, pathOf);

  return {
    async create(options) {
      const call = session.start(options, createRecurringRun);
      const trigger = triggerOf(options);
      const { name, isEnabled = true, catchUp = true, maxConcurrency = 1 } = options;
      if (!Number.isInteger(maxConcurrency) || maxConcurrency < 1 || maxConcurrency > 10) {
        throw new TypeError("`maxConcurrency` is a whole number from 1 to 10");
      }
      if (typeof name !== "string" || name === "") throw new TypeError("a recurring run has a `name`");
      const { members } = await prepareRun(context, options, call);
      const body = printRequest({
        displayName: name,
        ...members,
        maxConcurrency,
        trigger,
        mode: isEnabled ? "ENABLE" : "DISABLE",
        noCatchup: catchUp ? undefined : true,
      });
      return post(context, path, body, call, readRecurringRun);
    },
    get: async (recurringRun, options) => finder.get(recurringRun, session.start(options)),
    list(options = {}) {
      const query = listQuery(options, kind);
      const scope = runScope(context, options);
      // The one list of the API that is called in camel case.
      const source = { path, member: "recurringRuns", read: readRecurringRun, query, scope };
      return pagedList(() => readPages(session, source, () => session.start(query.call)));
    },
    enable: action("enable"),
    disable: action("disable"),
    async delete(recurringRun, options = {}) {
      const call = session.start(options, deleteRecurringRun);
      const query: Query = [["propagation_policy", options.propagation?.toUpperCase()]];
      await deleteThing(context, await pathOf(recurringRun, call), call, query);
    },
  };
}

/** When it starts. Servers take a cron of five fields and read it as something else. */
function triggerOf({ cron, intervalSeconds, startTime, endTime }: CreateRecurringRunOptions): Nested {
  if ((cron === undefined) === (intervalSeconds === undefined)) {
    throw new TypeError("a recurring run has a `cron` or `intervalSeconds`: give exactly one of them");
  }
  if (startTime !== undefined && endTime !== undefined && endTime <= startTime) {
    throw new TypeError("`endTime` is not after `startTime`: it would never start anything");
  }
  if (cron === undefined) {
    if (!Number.isSafeInteger(intervalSeconds) || Number(intervalSeconds) < 1) {
      throw new TypeError("`intervalSeconds` is a whole number from 1 to 2^53 - 1");
    }
    const intervalSecond = `${intervalSeconds}`;
    return new Nested({ periodicSchedule: new Nested({ startTime, endTime, intervalSecond }) });
  }
  const fields = cron.trim().split(/\s+/);
  if (
    !/^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/.test(cron.trim()) &&
    fields.length !== 6
  ) {
    const help = fields.length === 5 ? `; did you mean ${JSON.stringify(`0 ${cron.trim()}`)}?` : "";
    throw new TypeError(`\`cron\` has six fields, seconds first, or is @daily or its like${help}`);
  }
  return new Nested({ cronSchedule: new Nested({ startTime, endTime, cron: cron.trim() }) });
}
