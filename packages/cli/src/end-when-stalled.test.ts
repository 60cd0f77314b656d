import { expect, onTestFinished, test, vi } from "vitest";
import { FakeOutput, fakeProcess } from "../test/fake-process.js";
import { endWhenStalled } from "./end-when-stalled.js";

/** Outputs with so much to be taken, watched in a process that has run for so long. */
function watch(lengths: readonly number[], now = 0) {
  const fake = fakeProcess();
  const clock = vi.spyOn(performance, "now").mockReturnValue(now);
  onTestFinished(() => clock.mockRestore());
  const outputs = lengths.map((length) => Object.assign(new FakeOutput(), { writableLength: length }));
  endWhenStalled(outputs as unknown as NodeJS.WriteStream[], 2000);
  return {
    outputs,
    exits: fake.exits,
    /** That an output has taken nothing for so long, at this time. */
    stall(index: number, at: number) {
      clock.mockReturnValue(now + at);
      for (const { stalled } of outputs[index]?.watched ?? []) stalled();
    },
  };
}

test("outputs of which all was taken are not waited for", () => {
  const { outputs } = watch([0, 1, 0]);
  expect(outputs.map(({ watched }) => watched.map(({ ms }) => ms))).toEqual([[], [2000], []]);
});

test("an output that is not taken ends the process", () => {
  const { exits, stall } = watch([5, 0]);
  expect(exits).toEqual([]);
  stall(0, 2000);
  expect(exits).toEqual([undefined]);
});

test("an output that has stalled is watched for as long again", () => {
  const { outputs, stall } = watch([5, 5]);
  const again = vi.spyOn(outputs[0] ?? expect.unreachable(), "setTimeout");
  stall(0, 2000);
  expect(again.mock.calls).toEqual([[2000]]);
});

test.each([0, 1_000_000])(
  "while one output is taken the other may wait, in a process that has run for %i ms",
  (now) => {
    const { outputs, exits, stall } = watch([5, 5], now);
    stall(0, 2000);
    expect(exits).toEqual([]);
    stall(0, 4000);
    // What has taken nothing for half as long again has been taken since.
    stall(1, 7000);
    expect(exits).toEqual([]);
    Object.assign(outputs[0] ?? {}, { writableLength: 0 });
    stall(1, 9000);
    expect(exits).toEqual([undefined]);
  },
);

test.each([
  [2999, [undefined]],
  [3000, []],
])("two that stall %i ms apart end the process: %j", (apart, expected) => {
  const { exits, stall } = watch([5, 5], 1_000_000);
  stall(0, 2000);
  stall(1, 2000 + apart);
  expect(exits).toEqual(expected);
});

test("an output that cannot be watched is left alone", () => {
  fakeProcess();
  const file = { writableLength: 1 } as unknown as NodeJS.WriteStream;
  expect(() => endWhenStalled([file], 2000)).not.toThrow();
});
