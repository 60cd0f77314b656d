import { isDeepStrictEqual } from "node:util";
import { afterAll, expect, test } from "vitest";
import { differences } from "./differences.js";
import { readRecording } from "./recording.js";
import { type Observation, type ReplayedStep, replay } from "./replay.js";

const used = new Set<string>();

/** What is expected of this relay, and which differences that took. */
function expectedOf(step: ReplayedStep): { expected: Observation; applied: string[] } {
  let expected = withoutTimes(step.recorded);
  const actual = withoutTimes(step.actual);
  const applied: string[] = [];
  for (const { id, adjust } of differences) {
    if (isDeepStrictEqual(expected, actual)) break;
    const adjusted = withoutTimes(adjust(expected, { ...step, actual }));
    if (!isDeepStrictEqual(adjusted, expected)) applied.push(id);
    expected = adjusted;
  }
  return { expected, applied };
}

/** Points in time differ from run to run. */
function withoutTimes(observation: Observation): Observation {
  return JSON.parse(
    JSON.stringify(observation, (name, value) =>
      name === "stateSince" || name === "time" ? "(a time)" : value,
    ),
  );
}

const recordings = [
  "routes",
  "evaluation",
  "generated-a",
  "streams",
  "status",
  "php",
  "events",
  "filters",
  "cors",
  "offline",
  "autoconfig-unready",
];
const exchanges = new Map<string, number>();

for (const name of recordings) {
  test(`${name}: every recorded exchange is the same here, or its difference is in the table`, async () => {
    const unexplained: unknown[] = [];
    let compared = 0;
    await replay(
      readRecording(name),
      (step) => isDeepStrictEqual(expectedOf(step).expected, withoutTimes(step.actual)),
      (step) => {
        compared++;
        const { expected, applied } = expectedOf(step);
        for (const id of applied) used.add(id);
        const actual = withoutTimes(step.actual);
        if (isDeepStrictEqual(expected, actual)) return;
        unexplained.push({ index: step.index, request: step.request, expected, actual });
      },
    );
    exchanges.set(name, compared);
    expect(unexplained).toEqual([]);
  });
}

test("every entry of the table still differs from the reference somewhere", () => {
  expect(differences.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([]);
});

test("the comparison covers what was recorded", () => {
  const total = [...exchanges.values()].reduce((sum, count) => sum + count, 0);
  expect(total).toBeGreaterThan(1500);
});

afterAll(() => {
  used.clear();
});
