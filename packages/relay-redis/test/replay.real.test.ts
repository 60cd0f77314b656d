import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { differences } from "./differences.js";
import type { Observation } from "./observation.js";
import { readRecording } from "./recording.js";
import { isSpoiling, startPlayer } from "./replay.js";

test("every recorded answer and dump is the same here, or its difference is in the table", async () => {
  const recording = readRecording();
  const player = await startPlayer(recording);
  onTestFinished(() => player.close());
  /** How each request was answered when the database was last well. */
  const before = new Map<string, Observation>();
  const used = new Set<string>();
  const unexplained: unknown[] = [];
  let compared = 0;
  let databaseFails = false;

  for (const [index, step] of recording.steps.entries()) {
    if (step.killRedis || isSpoiling(step.redis)) {
      databaseFails = true;
      for (const other of recording.steps) {
        if (other.request !== undefined) before.set(other.request.path, await player.ask(other));
      }
    }
    if (step.startRedis || isMending(step.redis)) databaseFails = false;
    const path = step.request?.path ?? "";
    const situation = { databaseFails, before: before.get(path) };
    const expectedFor = (recorded: Observation, actual: Observation, note: (id: string) => void = () => {}) =>
      differences.reduce((expected, { id, adjust }) => {
        const adjusted = adjust(expected, actual, situation);
        if (!isDeepStrictEqual(adjusted, expected)) note(id);
        return adjusted;
      }, recorded);
    const seen = await player.play(step, (recorded, actual) =>
      isDeepStrictEqual(expectedFor(recorded, actual), actual),
    );
    if (seen === undefined) continue;
    compared++;
    const expected = expectedFor(seen.recorded, seen.actual, (id) => used.add(id));
    if (!isDeepStrictEqual(expected, seen.actual))
      unexplained.push({ index, path, expected, actual: seen.actual });
  }

  expect(unexplained).toEqual([]);
  expect(compared).toBe(15);
  expect(differences.map(({ id }) => id).filter((id) => !used.has(id))).toEqual([]);
});

function isMending(words: unknown): boolean {
  return Array.isArray(words) && words[0] === "HDEL" && words[2] === "broken";
}
