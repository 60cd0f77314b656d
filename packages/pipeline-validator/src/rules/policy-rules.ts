import { describeComponent, durationMs, inputArtifact, inputParameter, isExitTask } from "@wye/pipeline-spec";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp, underSpec } from "../rule.js";

const retryCount: Rule = {
  id: "retry-count-negative",
  summary: "The number of retries is zero or more.",
  reason: "A negative number has no meaning.",
  severity: always("error"),
  examples: {
    wrong: "root: {dag: {tasks: {train: {retryPolicy: {maxRetryCount: -1}}}}}",
    right: "root: {dag: {tasks: {train: {retryPolicy: {maxRetryCount: 2}}}}}",
  },
  *check({ tasks }) {
    for (const { spec, path } of tasks) {
      const count = spec.retryPolicy?.maxRetryCount ?? 0;
      if (count >= 0) continue;
      const at = `${path}/retryPolicy/maxRetryCount`;
      yield { at, message: `a task cannot be retried ${count} times`, hint: "use 0 for no retry" };
    }
  },
};

const backoffNegative: Rule = {
  id: "retry-backoff-negative",
  summary: "Delays between retries, and their factor, are not negative.",
  reason: "Nothing can be delayed by less than nothing.",
  severity: always("error"),
  examples: {
    wrong: "root: {dag: {tasks: {train: {retryPolicy: {maxRetryCount: 2, backoffDuration: -30s}}}}}",
    right: "root: {dag: {tasks: {train: {retryPolicy: {maxRetryCount: 2, backoffDuration: 30s}}}}}",
  },
  *check({ tasks }) {
    for (const { spec, path } of tasks) {
      const { retryPolicy: policy } = spec;
      if (policy === undefined) continue;
      for (const field of ["backoffDuration", "backoffMaxDuration"] as const) {
        const duration = policy[field];
        if (duration === undefined || secondsOf(duration) >= 0) continue;
        yield { at: `${path}/retryPolicy/${field}`, message: "a delay cannot be negative" };
      }
      if (policy.backoffFactor >= 0) continue;
      yield { at: `${path}/retryPolicy/backoffFactor`, message: "a factor of delays cannot be negative" };
    }
  },
};

const retryOfDag: Rule = {
  id: "retry-of-dag",
  summary: "Only tasks that run an executor have a retry policy.",
  reason:
    "By the document the policy is for component tasks only; the open-source back end hands that of a DAG down to its tasks.",
  severity: underSpec("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {loop: {retryPolicy: {maxRetryCount: 2}}}}}",
    right: "root: {dag: {tasks: {train: {retryPolicy: {maxRetryCount: 2}}}}}",
  },
  *check({ tasks }) {
    for (const { spec, path, component } of tasks) {
      if (spec.retryPolicy === undefined || component?.tasks === undefined) continue;
      const message = `${describeComponent(component)} is a DAG, which is not retried as a whole`;
      yield { at: `${path}/retryPolicy`, part: "key", message, hint: "give the policy to its tasks" };
    }
  },
};

const hour = 3600;

const backoffLong: Rule = {
  id: "retry-backoff-capped",
  summary: "Delays between retries are at most one hour.",
  reason:
    "By the document longer ones are cut to one hour. The open-source back end cuts nothing; to it the maximum bounds the whole time of retrying, not one delay.",
  severity: always("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {train: {retryPolicy: {maxRetryCount: 2, backoffMaxDuration: 7200s}}}}}",
    right: "root: {dag: {tasks: {train: {retryPolicy: {maxRetryCount: 2, backoffMaxDuration: 3600s}}}}}",
  },
  *check({ tasks }) {
    for (const { spec, path } of tasks) {
      for (const field of ["backoffDuration", "backoffMaxDuration"] as const) {
        const duration = spec.retryPolicy?.[field];
        if (duration === undefined || secondsOf(duration) <= hour) continue;
        const message = `a delay of ${secondsOf(duration)} seconds is longer than the hour that the document allows`;
        yield { at: `${path}/retryPolicy/${field}`, message, hint: "write 3600s" };
      }
    }
  },
};

const secondsOf = (duration: string): number => durationMs(duration) / 1_000;

const cacheKeyUnused: Rule = {
  id: "cache-key-unused",
  summary: "A task with a custom cache key has caching enabled.",
  reason: "The key does nothing: caching is off unless enabled.",
  severity: always("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {train: {cachingOptions: {cacheKey: v1}}}}}",
    right: "root: {dag: {tasks: {train: {cachingOptions: {cacheKey: v1, enableCache: true}}}}}",
  },
  *check({ tasks }) {
    for (const { spec, path, name } of tasks) {
      const { cachingOptions: options } = spec;
      if (options === undefined || options.cacheKey === "" || options.enableCache) continue;
      const message = `caching is not enabled for task ${quote(name)}`;
      const sought = [`${path}/cachingOptions/enableCache`];
      yield {
        at: `${path}/cachingOptions/cacheKey`,
        part: "key",
        message,
        hint: "add enableCache: true",
        sought,
      };
    }
  },
};

/** A task that runs however others have ended. */
const exitTask = (after: string) =>
  `root: {dag: {tasks: {say: {taskInfo: {name: say}, ${after}componentRef: {name: comp-report}, inputs: {parameters: {message: {runtimeValue: {constant: x}}}}, triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}}}}}`;

const strategyAlone: Rule = {
  id: "strategy-without-upstream",
  summary: "A task that waits for others to end, however they end, depends on some task.",
  reason: "Without upstream tasks the strategy does nothing; perhaps a dependency was forgotten.",
  severity: always("warning"),
  examples: {
    wrong: exitTask(""),
    right: exitTask("dependentTasks: [branch], "),
  },
  *check(index) {
    for (const task of index.tasks) {
      if (!isExitTask(task) || task.dependencies.length > 0) continue;
      // A dependency on what does not exist is reported as such.
      if (task.spec.dependentTasks.length > 0 || task.inputs.some(({ source }) => source?.kind === "status"))
        continue;
      const message = `task ${quote(task.name)} has no upstream task that could have ended`;
      const sought = [`${task.path}/dependentTasks/*`, `${task.path}/inputs/*/*/*`];
      yield { at: `${task.path}/triggerPolicy/strategy`, message, hint: "add dependentTasks", sought };
    }
  },
};

const policyEmpty: Rule = {
  id: "trigger-policy-empty",
  summary: "A trigger policy has a condition or a strategy.",
  reason: "An empty one does nothing: the task runs always; perhaps its condition was lost.",
  severity: always("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {branch: {triggerPolicy: {condition: ''}}}}}",
    right: `root: {dag: {tasks: {branch: {triggerPolicy: {condition: "inputs.parameter_values['label'] == 'x'"}}}}}`,
  },
  *check({ tasks }) {
    for (const { name, path, spec } of tasks) {
      const { triggerPolicy: policy } = spec;
      if (policy === undefined || policy.condition !== "" || policy.strategy !== 0) continue;
      const at = `${path}/triggerPolicy`;
      const message = `the trigger policy of task ${quote(name)} has no condition`;
      const sought = [`${at}/condition`, `${at}/strategy`];
      yield { at, part: "key", message, hint: "write the condition, or remove triggerPolicy", sought };
    }
  },
};

const inputLost: Rule = {
  id: "input-lost-on-failure",
  summary: "A task that also runs after a failure can do without what the failed task gives.",
  reason: "A failed task has no outputs, so that inputs without default cannot be resolved.",
  severity: underKfp("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {train: {triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}}}}}",
    right: `
root:
  dag:
    tasks:
      train: {triggerPolicy: {strategy: ALL_UPSTREAM_TASKS_COMPLETED}, inputs: {artifacts: null}}
components:
  comp-train: {inputDefinitions: {artifacts: {data: {isOptional: true}}, parameters: {label: {defaultValue: none}}}}
`,
  },
  *check({ tasks }) {
    for (const task of tasks) {
      if (!isExitTask(task) || task.component === undefined) continue;
      for (const { kind, name, at, source } of task.inputs) {
        if (source?.kind !== "output") continue;
        if (kind === "parameter") {
          const declared = inputParameter(task.component, name);
          if (declared === undefined || declared.isOptional || declared.defaultValue !== undefined) continue;
          const message = `the input ${quote(name)} has no value when task ${quote(source.producer)} fails`;
          yield { at, part: "key", message, hint: "give the input a default" };
        } else if (inputArtifact(task.component, name)?.isOptional === false) {
          const message = `the artifact ${quote(name)} is missing when task ${quote(source.producer)} fails`;
          yield { at, part: "key", message, hint: "make the input optional" };
        }
      }
    }
  },
};

const displayNameMissing: Rule = {
  id: "task-display-name-missing",
  summary: "A task has a display name.",
  reason: "The back end and its pages show tasks by `taskInfo.name`, which every compiler writes.",
  severity: underKfp("warning"),
  examples: {
    wrong: "root: {dag: {tasks: {train: {taskInfo: null}}}}",
    right: "root: {dag: {tasks: {train: {taskInfo: {name: Train the model}}}}}",
  },
  *check({ tasks }) {
    for (const { spec, path, name } of tasks) {
      if ((spec.taskInfo?.name ?? "") !== "") continue;
      yield {
        at: path,
        part: "key",
        message: `task ${quote(name)} has no display name`,
        hint: "add taskInfo.name",
        sought: [`${path}/taskInfo/name`],
      };
    }
  },
};

/** Rules about when and how often tasks run. */
export const policyRules: RuleFamily = {
  title: "Retries, caching and strategies",
  rules: [
    retryCount,
    retryOfDag,
    backoffNegative,
    backoffLong,
    cacheKeyUnused,
    displayNameMissing,
    strategyAlone,
    policyEmpty,
    inputLost,
  ],
};
