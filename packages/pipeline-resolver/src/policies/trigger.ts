import { checkArguments, ExecutorInput, type PipelineTaskSpec, TriggerStrategy } from "@wye/pipeline-spec";
import { type Condition, compileExpression } from "../expressions/compile-expression.js";
import type { ExpressionProblem } from "../expressions/expression-problem.js";
import type { FinalState } from "../values/final-status.js";
import type { ParameterValues, TaskInputs } from "../values/task-values.js";

/** What becomes of a task whose condition has been looked at. */
export type TriggerDecision =
  | { readonly kind: "run" }
  | { readonly kind: "skip"; readonly because: string }
  | { readonly kind: "fail"; readonly problem: ExpressionProblem };

/** When a task runs. */
export interface Trigger {
  /** Whether a task may start whose upstream tasks have all ended, in these states; otherwise it never will. */
  startsAfter(states: Iterable<FinalState>): boolean;
  /** Whether a task that may start does run, by its condition and its resolved inputs. An input that is null because nobody gave it is not there. */
  decide(inputs: TaskInputs): TriggerDecision;
  /** The condition, when there is one. */
  readonly condition: Condition | undefined;
}

/** The trigger of a task, its condition compiled once. A cached result (`SKIPPED`) counts as success. */
export function compileTrigger(task: PipelineTaskSpec): Trigger {
  checkArguments("compileTrigger", "object", { task });
  const { triggerPolicy } = task;
  const text = triggerPolicy?.condition ?? "";
  const condition = text === "" ? undefined : compileExpression(text, "condition");
  const anyway = triggerPolicy?.strategy === TriggerStrategy.ALL_UPSTREAM_TASKS_COMPLETED;
  return {
    condition,
    startsAfter: (states) => anyway || [...states].every((one) => one === "SUCCEEDED" || one === "SKIPPED"),
    decide(inputs) {
      if (condition === undefined) return { kind: "run" };
      const parameterValues = givenTo(inputs);
      const input = ExecutorInput.create({ inputs: { parameterValues, artifacts: inputs.artifacts } });
      const result = condition.evaluate(input);
      if (!result.ok) return { kind: "fail", problem: result.problem };
      return result.value ? { kind: "run" } : { kind: "skip", because: condition.explain(input).summary };
    },
  };
}

/** What a condition sees: the null of an absent input is for the tasks inside of a DAG, which may refer to it. */
function givenTo({ parameters, defaulted }: TaskInputs): ParameterValues {
  const absent = new Set(defaulted.filter((name) => parameters[name] === null));
  return absent.size === 0
    ? parameters
    : Object.fromEntries(Object.entries(parameters).filter(([name]) => !absent.has(name)));
}
