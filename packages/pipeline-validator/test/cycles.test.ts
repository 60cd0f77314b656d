import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

/** A ring of so many tasks, each of which depends on the one before it. */
function ring(count: number) {
  const tasks = Array.from({ length: count }, (_, at) => [
    `t${at}`,
    { componentRef: { name: "c" }, dependentTasks: [`t${(at + count - 1) % count}`] },
  ]);
  const { problems } = validatePipeline(
    JSON.stringify({ root: { dag: { tasks: Object.fromEntries(tasks) } } }),
  );
  const [cycle, ...others] = problems.filter(({ code }) => code === "task-cycle");
  expect(others).toEqual([]);
  const { message = "", related = [] } = cycle ?? {};
  return { names: message.match(/"?t\d+"?/g)?.length, more: /\((\d+) more\)/.exec(message)?.[1], related };
}

test.each([
  [1, undefined],
  [2, undefined],
  [20, undefined],
  [21, "1"],
  [50, "30"],
])("of a ring of %i tasks 20 are named, and the first again", (count, more) => {
  expect(ring(count)).toMatchObject({ names: Math.min(count, 20) + 1, more });
});

test.each([
  [1, 0],
  [2, 1],
  [11, 10],
  [12, 10],
])("of a ring of %i arrows %i are shown beside the first, at most ten", (count, shown) => {
  const { related } = ring(count);
  expect(new Set(related.map(({ path }) => path)).size).toBe(shown);
  expect(related).toHaveLength(shown);
});
