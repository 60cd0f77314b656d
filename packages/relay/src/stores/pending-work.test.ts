import { type Item, parseItem } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import type { Change } from "../change.js";
import { PendingWork } from "./pending-work.js";

test("keys that could not be written are written once the store is there again", () => {
  const pending = new PendingWork();
  pending.addKeys();
  expect(pending.isEmpty).toBe(false);
  expect(pending.take()).toEqual({ kind: "keys" });
  expect(pending.isEmpty).toBe(true);
  pending.addFailed({ kind: "keys" });
  expect(pending.take()).toEqual({ kind: "probe", isDoubted: true });
  expect(pending.take({ onlyWrites: true })).toEqual({ kind: "keys" });
  expect(pending.take()).toBeUndefined();
});

const item = (key: string, version: number): Item => parseItem("flags", key, `{"version":${version}}`);
const change = (extent: "full" | "partial", ...items: Item[]): Change => ({ extent, items });

type Step = (pending: PendingWork) => void;
const adds: Readonly<Record<string, Step>> = {
  "a full set": (pending) => pending.add(change("full", item("a", 1))),
  items: (pending) => pending.add(change("partial", item("a", 1), item("b", 2))),
  "a newer item": (pending) => pending.add(change("partial", item("a", 3))),
  restoring: (pending) => pending.addRestore(),
  mending: (pending) => pending.addMend(),
  reading: (pending) => pending.addRead(),
  probing: (pending) => pending.addProbe(),
  keys: (pending) => pending.addKeys(),
  "a full set that failed": (pending) => pending.addFailed({ kind: "replace", isAgain: false }),
  "restoring that failed": (pending) => pending.addFailed({ kind: "restore" }),
  "reading that failed": (pending) => pending.addFailed({ kind: "read" }),
  "probing that failed": (pending) => pending.addFailed({ kind: "probe", isDoubted: false }),
  "items that failed": (pending) =>
    pending.addFailed({ kind: "upsert", items: [item("a", 1), item("c", 4)] }),
};

/** The tasks that are taken one after the other, in words. */
function tasksOf(pending: PendingWork, onlyWrites = false): string[] {
  const tasks: string[] = [];
  for (let task = pending.take({ onlyWrites }); task !== undefined; task = pending.take({ onlyWrites })) {
    const more = "items" in task ? task.items.map(({ key, version }) => `${key}${version}`) : [];
    const flags = [
      ...("isAgain" in task && task.isAgain ? ["again"] : []),
      ...("isDoubted" in task && task.isDoubted ? ["doubted"] : []),
    ];
    tasks.push([task.kind, ...flags, ...more].join(" "));
  }
  return tasks;
}

test.each<[added: string, tasks: string[], writes: string[]]>([
  ["a full set", ["replace"], ["replace"]],
  ["items, a newer item", ["upsert a3 b2"], ["upsert a3 b2"]],
  ["items, a full set", ["replace"], ["replace"]],
  ["a full set, restoring, mending", ["replace"], ["replace"]],
  ["mending, restoring", ["restore"], ["restore"]],
  ["restoring, mending", ["restore"], ["restore"]],
  ["mending, items", ["mend"], ["mend"]],
  ["reading, probing", ["read"], []],
  ["probing", ["probe"], []],
  ["items, reading, keys", ["read", "keys", "upsert a1 b2"], ["keys", "upsert a1 b2"]],
  ["reading, probing, mending", ["mend"], ["mend"]],
  ["keys, a full set", ["replace", "keys"], ["replace", "keys"]],
  ["a full set that failed", ["probe doubted", "replace again"], ["replace again"]],
  ["a full set, a full set that failed", ["replace"], ["replace"]],
  ["mending, a full set that failed", ["probe doubted", "replace again"], ["replace again"]],
  ["restoring that failed", ["probe doubted"], []],
  ["reading that failed", ["probe doubted", "read"], []],
  ["probing that failed", ["probe doubted"], []],
  ["probing, probing that failed", ["probe doubted"], []],
  ["items that failed", ["probe doubted", "upsert a1 c4"], ["upsert a1 c4"]],
  ["a newer item, items that failed", ["probe doubted", "upsert a3 c4"], ["upsert a3 c4"]],
  ["items that failed, a full set", ["replace"], ["replace"]],
])("of %s there is left to do: %j, and to write: %j", (added, tasks, writes) => {
  const waiting = () => {
    const pending = new PendingWork();
    expect(pending.isEmpty).toBe(true);
    for (const name of added.split(", ")) adds[name]?.(pending);
    expect(pending.isEmpty).toBe(false);
    return pending;
  };
  const pending = waiting();
  expect(tasksOf(pending)).toEqual(tasks);
  expect(pending.isEmpty).toBe(true);
  expect(tasksOf(waiting(), true)).toEqual(writes);
});
