import { expect, test } from "vitest";
import type { Member } from "./crew.js";
import type { Answer } from "./messages.js";
import { WorkerMetrics } from "./worker-metrics.js";

const member = (): Member => ({ send() {}, listen: () => () => {}, ended: new Promise(() => {}), kill() {} });
const answer = (requests: number, open: number, status = 200): Answer => ({
  status,
  headers: { "content-type": "text/plain" },
  body: `# HELP r Requests.\n# TYPE r counter\nr{a="b"} ${requests}\n# TYPE o gauge\no{a="b"} ${open}\no 1\n`,
});
const shown = (text: string) => text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));

test("counters of workers that do not answer, or are gone, do not fall; what they held does", () => {
  const metrics = new WorkerMetrics();
  const [first, second, third] = [member(), member(), member()];
  const sum = (...said: (readonly [Member, Answer | undefined])[]) => shown(metrics.sum(new Map(said)));
  expect(sum([first, answer(10, 1)], [second, answer(20, 2)])).toEqual(['r{a="b"} 30', 'o{a="b"} 3', "o 2"]);
  expect(sum([first, answer(11, 1)], [second, undefined])).toEqual(['r{a="b"} 31', 'o{a="b"} 3', "o 2"]);
  expect(sum([first, answer(12, 1)], [second, answer(0, 0, 503)])).toContain('r{a="b"} 32');
  // The second has ended, and another is in its place.
  expect(sum([first, answer(12, 1)], [third, answer(0, 0)])).toEqual(['r{a="b"} 32', 'o{a="b"} 1', "o 2"]);
  expect(sum([first, undefined], [third, answer(5, 0)])).toContain('r{a="b"} 37');
  expect(sum([third, answer(5, 4)])).toEqual(['r{a="b"} 37', 'o{a="b"} 4', "o 1"]);
  expect(metrics.sum(new Map())).toBe('# HELP r Requests.\n# TYPE r counter\nr{a="b"} 37\n');
});

test("of a worker that is gone only what is called a gauge is forgotten, with its explanation", () => {
  const metrics = new WorkerMetrics();
  const body = [
    ..."# HELP o Open.|# TYPE o gauge|o 1|# TYPE o_total counter|o_total 2".split("|"),
    ..."# TYPE g gauge_like|g 3|# HELP # TYPE h gauge|h 4|".split("|"),
  ].join("\n");
  metrics.sum(new Map([[member(), { ...answer(0, 0), body }]]));
  expect(metrics.sum(new Map())).toBe(
    "# TYPE o_total counter\no_total 2\n# TYPE g gauge_like\ng 3\n# HELP # TYPE h gauge\nh 4\n",
  );
});
