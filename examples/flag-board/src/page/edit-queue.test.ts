import { expect, test } from "vitest";
import type { Refusal } from "../board-api.js";
import type { Flag } from "../flag.js";
import type { SaveResult } from "./board-client.js";
import { withOn } from "./edit-flag.js";
import { createEditQueue, type EditQueue } from "./edit-queue.js";

const start: Flag = { key: "a", version: 1, on: false, variations: [true], fallthrough: { variation: 0 } };

/** A server with one flag, whose answers wait until they are released. */
function harness(): {
  queue: EditQueue;
  server: { flag: Flag };
  saves: string[];
  settled: Flag[];
  refusals: Refusal[];
  idle: () => Promise<void>;
} {
  const server = { flag: start };
  const saves: string[] = [];
  const settled: Flag[] = [];
  const refusals: Refusal[] = [];
  const queue = createEditQueue({
    flag: start,
    async save(text, version): Promise<SaveResult> {
      saves.push(text);
      await Promise.resolve();
      if (text === "wrong") return { kind: "refused", refusal: { error: "wrong" } };
      if (version !== server.flag.version) return { kind: "outdated", flag: server.flag };
      server.flag = { ...JSON.parse(text), version: version + 1 };
      return { kind: "saved", flag: server.flag };
    },
    settled: (flag) => void settled.push(flag),
    refused: (refusal) => void refusals.push(refusal),
  });
  const idle = async (): Promise<void> => {
    const before = settled.length;
    while (settled.length === before) await Promise.resolve();
  };
  return { queue, server, saves, settled, refusals, idle };
}

test("edits are saved one after the other, of each control the last one", async () => {
  const { queue, server, saves, settled, idle } = harness();
  queue.add("on", (flag) => withOn(flag, true));
  queue.add("slider", (flag) => ({ ...flag, offVariation: 1 }));
  queue.add("slider", (flag) => ({ ...flag, offVariation: 2 }));
  queue.add("slider", (flag) => ({ ...flag, offVariation: 3 }));
  await idle();
  expect(saves.length).toBe(2);
  expect(server.flag).toEqual({ ...start, version: 3, on: true, offVariation: 3 });
  expect(settled).toEqual([server.flag]);
});

test("an edit by a control is made again on what somebody else has left", async () => {
  const { queue, server, refusals, idle } = harness();
  server.flag = { ...start, version: 8, offVariation: 0 };
  queue.add("on", (flag) => withOn(flag, true));
  await idle();
  expect(server.flag).toEqual({ ...start, version: 9, on: true, offVariation: 0 });
  expect(refusals).toEqual([]);
});

test("a text does not replace unseen what somebody else has left, but does when it is saved again", async () => {
  const { queue, server, refusals, idle } = harness();
  const theirs = { ...start, version: 8, offVariation: 0 };
  server.flag = theirs;
  const text = JSON.stringify({ ...start, on: true });
  queue.add("json", text);
  await idle();
  expect(server.flag).toBe(theirs);
  expect(refusals).toEqual([{ error: expect.stringContaining("somebody else has changed this flag") }]);
  queue.add("json", text);
  await idle();
  expect(server.flag).toEqual({ ...start, version: 9, on: true });
});

test("what is refused is told, and the flag stays", async () => {
  const { queue, settled, refusals, idle } = harness();
  queue.add("json", "wrong");
  await idle();
  expect(refusals).toEqual([{ error: "wrong" }]);
  expect(settled).toEqual([start]);
});

test("versions from elsewhere are taken when nothing is on its way", async () => {
  const { queue, settled, idle } = harness();
  queue.take(start);
  queue.take({ ...start, version: 4 });
  expect(settled).toEqual([{ ...start, version: 4 }]);
  queue.add("json", "wrong");
  queue.take({ ...start, version: 5 });
  await idle();
  expect(queue.flag.version).toBe(4);
});
