import { failuresOf, type ModelDag, type ModelTask, resultOf } from "./random-pipeline.js";

/** What a task came to: its state, and the number (or numbers) that it made. */
export interface Ended {
  readonly state: "SUCCEEDED" | "FAILED" | "SKIPPED";
  readonly made?: number | readonly number[];
}

/**
 * Runs a random pipeline the plain way: one task after another in the order of the specification, by recursion, without events and
 * without a queue. Slow and obvious: what the state machine is compared with.
 */
export function interpret(dag: ModelDag, seed: number, input: number): ReadonlyMap<string, Ended> {
  const ended = new Map<string, Ended>();
  ended.set("", runDag(dag, input, "", 0, seed, ended));
  return ended;
}

function runDag(
  dag: ModelDag,
  input: number,
  id: string,
  retries: number,
  seed: number,
  ended: Map<string, Ended>,
): Ended {
  const here = new Map<string, Ended>();
  for (const task of dag.tasks) {
    const taskId = id === "" ? task.name : `${id}/${task.name}`;
    const end = runTask(task, taskId, input, here, retries, seed, ended);
    here.set(task.name, end);
    ended.set(taskId, end);
  }
  if ([...here.values()].some(({ state }) => state === "FAILED")) return { state: "FAILED" };
  const values = dag.output.flatMap((name) => here.get(name)?.made ?? []);
  if (dag.output.length > 1 && values.length === 0) return { state: "FAILED" };
  return { state: "SUCCEEDED", ...(values[0] === undefined ? {} : { made: values[0] }) };
}

function runTask(
  task: ModelTask,
  id: string,
  outer: number,
  here: ReadonlyMap<string, Ended>,
  inherited: number,
  seed: number,
  ended: Map<string, Ended>,
): Ended {
  const { source } = task;
  const before = [...task.after];
  if (source.kind === "sibling") before.push(source.name);
  if (task.statusOf !== undefined) before.push(task.statusOf);
  if (task.items !== undefined && "of" in task.items) before.push(task.items.of);
  const allWell = before.every((name) => here.get(name)?.state === "SUCCEEDED");
  if (!allWell && !task.isExit) return { state: "SKIPPED" };
  const given =
    source.kind === "constant"
      ? source.value
      : source.kind === "parent"
        ? outer
        : here.get(source.name)?.made;
  const input = typeof given === "number" ? given : task.fallback;
  const items = task.items !== undefined && "of" in task.items ? here.get(task.items.of)?.made : task.items;
  const isWithoutList = task.items !== undefined && typeof items !== "object";
  if (input === undefined || isWithoutList) return { state: "FAILED" };
  if (task.divisor !== undefined && input % task.divisor !== 0) return { state: "SKIPPED" };
  const retries = task.retries > 0 ? task.retries : inherited;
  const runOnce = (own: string, value: number): Ended => {
    if (task.dag !== undefined) return runDag(task.dag, value, own, retries, seed, ended);
    return failuresOf(seed, own) > retries
      ? { state: "FAILED" }
      : { state: "SUCCEEDED", made: resultOf(own, input) };
  };
  if (typeof items !== "object") return runOnce(id, input);
  const iterations = items.map((item, i) => {
    const end = runOnce(`${id}[${i}]`, item);
    ended.set(`${id}[${i}]`, end);
    return end;
  });
  if (iterations.some(({ state }) => state === "FAILED")) return { state: "FAILED" };
  if (task.dag?.output.length === 0) return { state: "SUCCEEDED" };
  return {
    state: "SUCCEEDED",
    made: iterations.flatMap(({ made }) => (typeof made === "number" ? made : [])),
  };
}
