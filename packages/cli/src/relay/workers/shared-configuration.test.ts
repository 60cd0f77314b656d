import { expect, test } from "vitest";
import type { Member } from "./crew.js";
import type { FromWorker, ToWorker } from "./messages.js";
import { SharedConfiguration } from "./shared-configuration.js";

/** A worker in the hands of the test. */
function attach(configuration: SharedConfiguration) {
  const takers = new Set<(message: FromWorker) => void>();
  const told: ToWorker[] = [];
  const member: Member = {
    send: (message) => void told.push(message),
    listen(take) {
      takers.add(take);
      return () => takers.delete(take);
    },
    ended: new Promise(() => {}),
    kill() {},
  };
  const detach = configuration.attach(member);
  const say = (message: FromWorker) => {
    for (const take of takers) take(message);
  };
  return { told, say, detach, takers };
}

const serving: FromWorker = { type: "serving", port: 8030 };

test("workers get the file as it was at the start, until there is another one for all", () => {
  const configuration = new SharedConfiguration("one");
  const [first, second] = [attach(configuration), attach(configuration)];
  first.say({ type: "configure" });
  first.say(serving);
  configuration.replace("two");
  second.say({ type: "configure" });
  second.say(serving);
  first.say({ type: "configure" });
  expect(first.told).toEqual([
    { type: "configuration", text: "one" },
    { type: "configuration", text: "two" },
  ]);
  expect(second.told).toEqual([{ type: "configuration", text: "two" }]);
});

test("one that has read the file before it was another one, and serves only then, is told", () => {
  const configuration = new SharedConfiguration("one");
  const worker = attach(configuration);
  worker.say({ type: "configure" });
  configuration.replace("two");
  worker.say(serving);
  expect(worker.told).toEqual([{ type: "configuration", text: "one" }, { type: "reload" }]);
  worker.detach();
  expect(worker.takers.size).toBe(0);
});
