import { expect, test } from "vitest";
import { attachWorker } from "../../../test/attach-worker.js";
import { Config } from "../config/config.js";
import type { FromWorker } from "./messages.js";
import { SharedConfiguration } from "./shared-configuration.js";

/** A configuration whose workers take so long to end. */
function shared(text: string, drainTimeout = "1s") {
  const place = { section: "Wye", name: "", key: "drainTimeout", medium: "file", origin: "test" } as const;
  return { text, config: Config.from([{ ...place, text: drainTimeout }]).config };
}

const serving: FromWorker = { type: "serving", port: 8030 };

test("workers get the file as it was at the start, and then as it is for all", () => {
  const configuration = new SharedConfiguration(shared("one"));
  const [first, second] = [attachWorker(configuration), attachWorker(configuration)];
  first.say({ type: "configure" });
  first.say({ type: "configure" });
  first.say(serving);
  configuration.replace(shared("two"));
  first.say({ type: "configure" });
  second.say({ type: "configure" });
  second.say({ type: "configure" });
  second.say(serving);
  expect(first.told).toEqual([
    { type: "configuration", text: "one" },
    { type: "configuration", text: "one" },
    { type: "configuration", text: "two" },
  ]);
  expect(second.told).toEqual([
    { type: "configuration", text: "one" },
    { type: "configuration", text: "two" },
  ]);
});

test("one that has read the file before it was another one, and serves only then, is told", () => {
  const configuration = new SharedConfiguration(shared("one"));
  const worker = attachWorker(configuration);
  worker.say({ type: "configure" });
  configuration.replace(shared("two"));
  worker.say(serving);
  expect(worker.told).toEqual([{ type: "configuration", text: "one" }, { type: "reload" }]);
  worker.detach();
  expect(worker.takers.size).toBe(0);
});

test("workers are given the time that their present configuration gives them", () => {
  const configuration = new SharedConfiguration(shared("one", "1s"));
  expect(configuration.drainTimeout).toBe(1000);
  configuration.replace(shared("two", "15s"));
  expect(configuration.drainTimeout).toBe(15_000);
  configuration.replace(shared("three", "-1s"));
  expect(configuration.drainTimeout).toBe(0);
});

test("one that begins when the file is another one already begins as the others did, and is told", () => {
  const configuration = new SharedConfiguration(shared("one"));
  configuration.replace(shared("two"));
  const worker = attachWorker(configuration);
  worker.say({ type: "configure" });
  worker.say(serving);
  worker.say({ type: "configure" });
  expect(worker.told).toEqual([
    { type: "configuration", text: "one" },
    { type: "reload" },
    { type: "configuration", text: "two" },
  ]);
});
