import { expect, onTestFinished, test, vi } from "vitest";
import { Outage } from "./outage.js";

/** An outage that is told in turn at these times, of this many attempts. */
function told(...attempts: readonly (readonly [ms: number, attempt: number])[]): readonly number[] {
  const clock = vi.spyOn(performance, "now");
  onTestFinished(() => clock.mockRestore());
  const outage = new Outage();
  const times: number[] = [];
  for (const [ms, attempt] of attempts) {
    clock.mockReturnValue(ms);
    outage.listener = (line) => {
      expect(line).toBe("wye: no answer\\x1b; trying again\n");
      times.push(ms);
    };
    outage.take({ attempt, error: new Error("no answer\u001b") } as never);
  }
  return times;
}

test("an outage is told at the third attempt, and not at what may be a hiccup", () => {
  expect(told([0, 1], [1, 2])).toEqual([]);
  expect(told([0, 1], [1, 2], [2, 3], [3, 4])).toEqual([2]);
  expect(told([5, 4])).toEqual([5]);
});

test("an outage that lasts is told once in a minute", () => {
  expect(told([0, 3], [59_999, 4], [60_000, 5], [119_999, 6], [120_000, 7])).toEqual([0, 60_000, 120_000]);
  expect(told([0, 3], [60_000, 1], [60_001, 2], [60_002, 3])).toEqual([0, 60_002]);
});

test("an outage of which nobody wants to hear is no failure", () => {
  expect(() => new Outage().take({ attempt: 9, error: new Error("x") } as never)).not.toThrow();
});
