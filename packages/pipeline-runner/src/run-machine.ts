import {
  collectIterations,
  type Resolved,
  type RunFacts,
  resolveDagOutputs,
  resolveIterations,
  retryDelayMs,
  type TaskInputs,
  type TaskOutputs,
} from "@wye/pipeline-resolver";
import { type ComponentNode, DagSpec } from "@wye/pipeline-spec";
import { badEndOf } from "./bad-end-of.js";
import { createIteration, createRoot, createTask } from "./create-execution.js";
import type { Execution, LoopScope } from "./execution.js";
import { makeReady } from "./make-ready.js";
import { describeEnd, describeProblems, describeWait, upstreamReason } from "./reasons.js";
import type { RunEvent } from "./run-event.js";
import type { RunSettings } from "./run-settings.js";
import type { TaskError } from "./run-task.js";
import { type TaskPlan, TaskPlans } from "./task-plan.js";
import { finalState, taskScope } from "./task-scope.js";
import type { FinalTaskState, RunState, TaskState } from "./task-state.js";
import { withTaskConfig } from "./with-task-config.js";

type Details = Pick<RunEvent, "attempt" | "inside">;

/**
 * The tasks of a run and their transitions. It knows no clock: `at` is the moment that the host gave with what is being carried out.
 * What ends is put in a row, and what follows from each end is found one after another, so that no chain is too long.
 */
export class RunMachine {
  readonly tasks: Map<string, Execution> = new Map();
  readonly queue: Set<Execution> = new Set();
  readonly events: RunEvent[] = [];
  /** What is odd about values that are taken all the same, by their place in the specification. */
  readonly remarks: Map<string, string> = new Map();
  readonly root: Execution;
  state: RunState = "RUNNING";
  at: number | undefined;
  readonly #settings: RunSettings;
  readonly #plans: TaskPlans;
  readonly #ended: Execution[] = [];

  constructor(root: ComponentNode, inputs: TaskInputs, settings: RunSettings) {
    this.#settings = settings;
    this.#plans = new TaskPlans(settings.profile);
    this.root = createRoot(root, inputs);
  }

  get facts(): RunFacts {
    return this.#settings.facts;
  }

  /** Starts the root. */
  start(): void {
    this.#open(this.root, "the run starts");
    this.#drain();
  }

  /** An attempt of a task that may start has begun. */
  begin(task: Execution): undefined {
    this.queue.delete(task);
    task.view.attempts++;
    if (this.at !== undefined) task.view.startedAt ??= this.at;
    const attempt = task.view.attempts;
    this.#change(task, "RUNNING", `attempt ${attempt} has started`, { attempt });
  }

  /** An attempt is as if it had never begun; when the run is being cancelled there is no other. */
  undo(task: Execution): undefined {
    if (this.state !== "RUNNING") return this.stopped(task);
    task.view.attempts--;
    this.#enqueue(task, "the attempt was lost");
    this.#drain();
  }

  /** A task has made its outputs. */
  succeed(task: Execution, outputs: TaskOutputs, cached: boolean): undefined {
    task.view.outputs = outputs;
    if (cached) task.view.cached = true;
    this.#settle(task, "SUCCEEDED", cached ? "the result was found in the cache" : "");
    this.#drain();
  }

  /** An attempt has failed; true when there is another. */
  fail(task: Execution, error: TaskError, mayRetry: boolean): undefined {
    task.failures++;
    const delay = mayRetry && this.state === "RUNNING" ? retryDelayMs(task.retry, task.failures) : undefined;
    if (delay === undefined) {
      this.#settle(task, "FAILED", error.message, error);
      this.#drain();
      return;
    }
    task.notBefore = (this.at ?? 0) + delay;
    const of = (task.retry?.maxRetryCount ?? 0) + 1;
    const reason = `attempt ${task.failures} of ${of} failed: ${error.message}; the next one ${describeWait(delay)}`;
    this.#enqueue(task, reason);
    this.#drain();
  }

  /** A running task was stopped. */
  stopped(task: Execution): undefined {
    this.#settle(task, "CANCELLED", "stopped");
    this.#drain();
  }

  /** Nothing starts any more. */
  cancel(reason: string): void {
    this.#changeRun("CANCELLING", reason);
    for (const task of this.tasks.values()) {
      const { state } = task.view;
      if (state === "PENDING" || state === "QUEUED") this.#settle(task, "CANCELLED", reason);
    }
    this.#drain();
  }

  /** Keeps what is odd about values, once for each place however often that is come to. */
  remark(at: string, { problems }: Resolved<unknown>): void {
    for (const { code, path, message } of problems) {
      const place = at + path;
      if (code === "type" && !this.remarks.has(place)) this.remarks.set(place, message);
    }
  }

  #drain(): undefined {
    // What follows from an end may be an end: the row grows while it is gone through.
    for (const task of this.#ended) this.#afterEnd(task);
    this.#ended.length = 0;
  }

  #afterEnd(task: Execution): undefined {
    const { parent, view } = task;
    if (parent === undefined) return this.#changeRun(runState(view.state), view.reason);
    if (view.state === "FAILED" && this.#settings.afterFailure === "stop") this.#stopOthers(parent, task);
    if (parent.loop !== undefined) return this.#afterIteration(parent, parent.loop);
    const scope = parent.dag;
    if (scope === undefined) return;
    scope.open--;
    if (view.outputs) scope.outputs.set(view.name, view.outputs);
    for (const name of task.plan?.downstream ?? []) {
      const next = scope.tasks.get(name);
      if (next !== undefined && --next.waiting === 0) this.#consider(next, parent);
    }
    if (scope.open === 0) this.#endDag(parent);
  }

  /** What has not started beside a failed task does not start, other than exit tasks. */
  #stopOthers({ dag, loop }: Execution, failed: Execution): undefined {
    for (const task of loop?.iterations ?? dag?.tasks.values() ?? []) {
      const { state } = task.view;
      if ((task.plan?.isExit && !loop) || (state !== "PENDING" && state !== "QUEUED")) continue;
      this.#settle(task, "SKIPPED", `not started, because ${failed.view.id} failed`);
    }
  }

  /** All that the task waits for has ended: it starts, or never will. */
  #consider(task: Execution, parent: Execution): undefined {
    const { plan, view } = task;
    const scope = parent.dag;
    if (view.state !== "PENDING" || scope === undefined || plan === undefined) return;
    const before = plan.upstream.flatMap((name) => scope.tasks.get(name)?.view ?? []);
    const states = before.map(({ state }) => finalState(state));
    if (!plan.trigger.startsAfter(states)) return this.#settle(task, "SKIPPED", upstreamReason(before));
    const inputs = plan.inputs(taskScope(task, parent, this.facts));
    if (!inputs.ok) return this.#failWith(task, "its inputs cannot be resolved", inputs);
    view.inputs = inputs.value;
    this.remark(plan.node.path, inputs);
    const decision = plan.trigger.decide(inputs.value);
    if (decision.kind === "skip")
      return this.#settle(task, "SKIPPED", `its condition is ${decision.because}`);
    if (decision.kind === "fail") {
      const message = `its condition cannot be evaluated: ${decision.problem.message}`;
      return this.#settle(task, "FAILED", message, { message });
    }
    const why = plan.trigger.condition ? "its condition is true" : "nothing is left to wait for";
    if (plan.node.spec.iterator) this.#openLoop(task, plan, inputs.value);
    else this.#open(task, why);
  }

  /** Starts a DAG, or puts what a host carries out in the queue. */
  #open(task: Execution, reason: string): undefined {
    const dag = task.component.tasks;
    if (dag === undefined) {
      const { inputs } = task.view;
      if (inputs) task.view.inputs = withTaskConfig(inputs, task.component, this.facts);
      return this.#enqueue(task, reason);
    }
    const { limits } = this.#settings;
    if (task.depth > limits.depth)
      return this.#tooLarge(task, `${limits.depth} DAGs and loops inside each other`);
    if (this.tasks.size + dag.size > limits.tasks) return this.#tooLarge(task, `${limits.tasks} tasks`);
    this.#begun(task, reason, dag.size);
    const tasks = new Map<string, Execution>();
    for (const node of dag.values()) tasks.set(node.name, this.#add(createTask(this.#plans.of(node), task)));
    task.dag = { tasks, outputs: new Map(), open: tasks.size };
    if (tasks.size === 0) this.#endDag(task);
    for (const one of tasks.values()) if (one.waiting === 0) this.#consider(one, task);
  }

  #add(task: Execution): Execution {
    this.tasks.set(task.view.id, task);
    return task;
  }

  #tooLarge(task: Execution, limit: string): undefined {
    const message = `the run has more than ${limit}; does a component contain itself, or has a loop too many items?`;
    this.#settle(task, "FAILED", message, { message });
  }

  #openLoop(task: Execution, plan: TaskPlan, inputs: TaskInputs): undefined {
    const { profile, facts, limits } = this.#settings;
    const items = resolveIterations(plan.node.spec, plan.component.spec, inputs, { profile, facts });
    if (!items.ok) return this.#failWith(task, "its items cannot be resolved", items);
    this.remark(plan.node.path, items);
    const { count, inputsOf } = items.value;
    if (this.tasks.size + count > limits.tasks) return this.#tooLarge(task, `${limits.tasks} tasks`);
    this.#begun(task, `a loop of ${count} iteration${count === 1 ? "" : "s"}`, count);
    const iterations = Array.from({ length: count }, (_, index) =>
      this.#add(createIteration(plan, task, index)),
    );
    task.loop = { inputsOf, iterations, next: 0, running: 0, open: count };
    if (count === 0) this.#endLoop(task);
    else this.#startIterations(task);
  }

  #startIterations({ loop, plan }: Execution): undefined {
    if (loop === undefined || plan === undefined) return;
    while (loop.next < loop.iterations.length && loop.running < plan.parallel) {
      const index = loop.next++;
      const task = loop.iterations[index];
      if (task?.view.state !== "PENDING") continue;
      loop.running++;
      task.view.inputs = loop.inputsOf(index);
      this.#open(task, "its turn has come");
    }
  }

  #afterIteration(task: Execution, loop: LoopScope): undefined {
    loop.open--;
    loop.running--;
    this.#startIterations(task);
    if (loop.open === 0) this.#endLoop(task);
  }

  #endLoop(task: Execution): undefined {
    const iterations = task.loop?.iterations ?? [];
    if (this.#endBadly(task, iterations)) return;
    const outputs = iterations.flatMap(({ view }) => view.outputs ?? []);
    task.view.outputs = collectIterations(task.component.spec, outputs);
    this.#settle(task, "SUCCEEDED", "");
  }

  #endDag(task: Execution): undefined {
    const scope = task.dag;
    if (scope === undefined || this.#endBadly(task, [...scope.tasks.values()])) return;
    const { profile } = this.#settings;
    const outputs = resolveDagOutputs(dagOf(task.component), scope.outputs, { profile });
    if (!outputs.ok) return this.#failWith(task, "its outputs cannot be resolved", outputs);
    task.view.outputs = outputs.value;
    this.#settle(task, "SUCCEEDED", "");
  }

  /** Ends a DAG or a loop in which something did not go well. */
  #endBadly(task: Execution, inside: readonly Execution[]): boolean {
    const end = badEndOf(inside, this.state);
    if (end !== undefined) this.#settle(task, end.state, end.reason, end.error);
    return end !== undefined;
  }

  #failWith(task: Execution, what: string, { problems }: Resolved<unknown>): undefined {
    const message = `${what}: ${describeProblems(problems)}`;
    this.#settle(task, "FAILED", message, { message });
  }

  #begun(task: Execution, reason: string, inside: number): undefined {
    task.view.attempts = 1;
    if (this.at !== undefined) task.view.startedAt = this.at;
    this.#change(task, "RUNNING", reason, { inside });
  }

  #enqueue(task: Execution, reason: string): undefined {
    const ready = makeReady(task, this.#settings);
    if (typeof ready === "string") return this.#settle(task, "FAILED", ready, { message: ready });
    task.ready = ready;
    this.queue.add(task);
    this.#change(task, "QUEUED", reason, { attempt: task.view.attempts + 1 });
  }

  #settle(task: Execution, state: FinalTaskState, reason: string, error?: TaskError): undefined {
    this.queue.delete(task);
    task.ready = undefined;
    if (error) task.view.error = error;
    if (this.at !== undefined) task.view.endedAt = this.at;
    this.#change(task, state, reason === "" ? describeEnd(task.view) : reason);
    this.#ended.push(task);
  }

  #change({ view }: Execution, state: TaskState, reason: string, more: Details = {}): undefined {
    view.state = state;
    view.reason = reason;
    if (view.id !== "") this.#emit(view.id, state, reason, more);
  }

  #changeRun(state: RunState, reason: string): undefined {
    this.state = state;
    this.#emit("", state, reason);
  }

  #emit(task: string, state: TaskState | RunState, reason: string, more: Details = {}): undefined {
    const { at } = this;
    this.events.push({
      number: this.events.length + 1,
      ...(at === undefined ? {} : { at }),
      task,
      state,
      ...more,
      reason,
    });
  }
}

function dagOf({ spec: { implementation } }: ComponentNode): DagSpec {
  return implementation?.$case === "dag" ? implementation.value : DagSpec.create();
}

/** How a run has ended whose root has. */
function runState(root: TaskState): RunState {
  return root === "SUCCEEDED" || root === "CANCELLED" ? root : "FAILED";
}
