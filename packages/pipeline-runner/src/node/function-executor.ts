import { checkArguments, checkOptions, didYouMean, isObject, ownEntry } from "@wye/pipeline-spec";
import type { Executor, Work, WorkContext, WorkResult } from "./executor.js";

/**
 * Does the work of a component in this process: it is given the parameters of the task, and returns its output parameters by name, if it
 * has any, or a promise of them.
 * Artifacts are at the paths that the executor input says.
 */
export type ComponentFunction = (
  parameters: { readonly [name: string]: unknown },
  work: Work,
  context: WorkContext,
) => unknown;

/** How `functionExecutor` treats what is not among its functions. */
export interface FunctionExecutorOptions {
  /** Carries out all other components; without it they fail. */
  readonly otherwise?: Executor;
}

/**
 * Runs components as functions of this process, by the name of the component (`comp-train`, or `train`). What a function throws fails
 * the attempt. A function cannot be stopped from outside: one that takes long looks at `context.signal`, and a run that is cancelled waits
 * five seconds for the others.
 */
export function functionExecutor(
  functions: { readonly [component: string]: ComponentFunction },
  options: FunctionExecutorOptions = {},
): Executor {
  checkOptions("functionExecutor", options, { otherwise: "any" });
  const { otherwise } = options;
  checkArguments("functionExecutor", "object", { functions });
  checkArguments("functionExecutor", "function", functions);
  if (otherwise !== undefined && typeof otherwise?.execute !== "function")
    throw new TypeError('the option "otherwise" of functionExecutor is an object with a function `execute`');
  const functionOf = (component: string): ComponentFunction | undefined =>
    ownEntry(functions, component) ?? ownEntry(functions, component.replace(/^comp-/, ""));
  return {
    cacheKey: (task) =>
      functionOf(task.component) === undefined ? otherwise?.cacheKey?.(task) : ["function"],
    endsWithinMs: Math.max(5000, otherwise === undefined ? 0 : (otherwise.endsWithinMs ?? 30_000)),
    execute: async (work, context): Promise<WorkResult> => {
      const { component, inputs } = work.task;
      const run = functionOf(component);
      if (run === undefined)
        return otherwise ? otherwise.execute(work, context) : unknown(component, functions);
      const parameters = (await run(inputs.parameters, work, context)) ?? {};
      if (!isObject(parameters)) {
        return {
          ok: false,
          message: `the function of ${component} returns its outputs by name, as an object`,
          retry: false,
        };
      }
      return { ok: true, outputs: { parameters } };
    },
  };
}

function unknown(component: string, functions: object): WorkResult {
  const near = didYouMean(component, Object.keys(functions));
  const help = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
  return {
    ok: false,
    message: `there is no function for the component ${JSON.stringify(component)}${help}`,
    retry: false,
  };
}
