import type { KeyEntry } from "@wye/vehicle-catalogue/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchKeys } from "./watch-keys.js";

const keysOf = (...names: readonly string[]): readonly KeyEntry[] =>
  names.map((key) => ({ key, groups: ["ReadVehicles"] }));

/** Keys that are looked at whenever the test says so. */
function watching(...first: readonly string[]) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let next: () => Promise<readonly KeyEntry[]> = async () => keysOf(...first);
  const told: string[] = [];
  const read = vi.fn(() => next());
  const watched = watchKeys(keysOf(...first), { read, tell: (line) => told.push(line) });
  onTestFinished(watched.close);
  return {
    ...watched,
    told,
    looks: () => read.mock.calls.length,
    find: (...keys: readonly string[]) => keys.map((key) => watched.lookup(key) !== undefined),
    /** Another look, which finds this. */
    async finds(found: readonly string[] | Error): Promise<void> {
      next = async () => {
        if (found instanceof Error) throw found;
        return keysOf(...found);
      };
      await vi.advanceTimersByTimeAsync(1000);
    },
  };
}

test("keys are taken when two looks in a row have found them", async () => {
  const { find, finds, told } = watching("a", "b");
  await finds([]);
  await finds(["a"]);
  expect(find("a", "b", "c")).toEqual([true, true, false]);
  await finds(["a", "c"]);
  await finds(["a", "c"]);
  expect(find("a", "b", "c")).toEqual([true, false, true]);
  await finds(["a", "c"]);
  expect(told).toEqual(["keys were read again: 2 may use the API now"]);
});

test("what is wrong with them is told once, and so is its end", async () => {
  const { find, finds, told } = watching("a");
  const broken = new Error("keys:1: groups are ReadVehicles");
  for (let times = 0; times < 4; times++) await finds(broken);
  expect([find("a"), told]).toEqual([[true], [`${broken.message}; keys stay as they were`]]);
  await finds(["a"]);
  await finds(["a"]);
  await finds(["a"]);
  expect(told.slice(1)).toEqual(["keys can be used again, and are as they were"]);
});

test("nothing is looked at when it is over", async () => {
  const { find, finds, looks, told, close } = watching("a");
  await finds(["b"]);
  close();
  await finds(["b"]);
  expect([find("a", "b"), told, looks()]).toEqual([[true, false], [], 1]);
});

test.each<[what: string, answer: () => Promise<readonly KeyEntry[]>]>([
  ["finds others", async () => keysOf("b")],
  ["finds something wrong", () => Promise.reject(new Error("keys:1: groups are ReadVehicles"))],
])("a look that goes on when it is over, and %s, changes nothing and is the last one", async (_, answer) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const looks: (() => void)[] = [];
  const read = () => new Promise<void>((resolve) => looks.push(resolve)).then(answer);
  const tell = vi.fn();
  const { lookup, close } = watchKeys(keysOf("a"), { read, tell });
  await vi.advanceTimersByTimeAsync(1000);
  looks[0]?.();
  await vi.advanceTimersByTimeAsync(1000);
  close();
  looks[1]?.();
  await vi.advanceTimersByTimeAsync(5000);
  expect([looks.length, lookup("a") !== undefined, lookup("b")]).toEqual([2, true, undefined]);
  expect(tell).not.toHaveBeenCalled();
});

test("looking keeps no program", () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timers.mockRestore());
  const { close } = watchKeys(keysOf("a"), { read: async () => [], tell: () => {} });
  const timer: NodeJS.Timeout = timers.mock.results[0]?.value;
  expect(timer.hasRef()).toBe(false);
  close();
});
