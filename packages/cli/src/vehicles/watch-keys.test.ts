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
  const watched = watchKeys(keysOf(...first), { read: () => next(), tell: (line) => told.push(line) });
  onTestFinished(watched.close);
  return {
    ...watched,
    told,
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
  const { find, finds, told, close } = watching("a");
  await finds(["b"]);
  close();
  await finds(["b"]);
  expect([find("a", "b"), told, vi.getTimerCount()]).toEqual([[true, false], [], 0]);
});
