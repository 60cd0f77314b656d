import { type Change, parseItem } from "@wye/relay";
import { expect, onTestFinished, test, vi } from "vitest";
import { Subscription } from "./subscription.js";

const change = (version: number): Change => ({
  extent: "partial",
  items: [parseItem("flags", "a", JSON.stringify({ version }))],
  selector: undefined,
});

/** A worker that is sent changes, each as the versions of its flags. */
function subscribed() {
  const sent: string[] = [];
  const subscription = new Subscription({
    change: ({ items }) => void sent.push(items.map(([, , json]) => JSON.parse(json).version).join()),
    trouble: (type, { kind, message }) => void sent.push(`${type} ${kind} ${message}`),
  });
  return { subscription, sent };
}

test("who offers hears of the change that it has offered, and of those together that have waited together", async () => {
  const { subscription, sent } = subscribed();
  const first = subscription.offer(change(1));
  const others = [subscription.offer(change(2)), subscription.offer(change(3))];
  expect(sent).toEqual(["1"]);
  subscription.taken("flag a is none");
  await expect(first).rejects.toMatchObject({ code: "malformed_data", message: "flag a is none" });
  expect(sent).toEqual(["1", "3"]);
  subscription.taken(undefined);
  await expect(Promise.all(others)).resolves.toHaveLength(2);
  subscription.taken(undefined);
  expect(sent).toEqual(["1", "3"]);
  void subscription.offer(change(4));
  expect(sent).toEqual(["1", "3", "4"]);
});

test("troubles do not wait, and whoever waits for one that is gone waits no more", async () => {
  const { subscription, sent } = subscribed();
  const offered = [1, 2].map((version) => subscription.offer(change(version)));
  subscription.interrupted({ kind: "NETWORK_ERROR", message: "gone" });
  subscription.refused({ kind: "ERROR_RESPONSE", message: "no such key" });
  expect(sent).toEqual(["1", "interrupted NETWORK_ERROR gone", "refused ERROR_RESPONSE no such key"]);
  subscription.close();
  await expect(Promise.all(offered)).resolves.toHaveLength(2);
});

test("that a change is refused is no fault where nobody waits for it", async () => {
  const lost = vi.fn();
  process.on("unhandledRejection", lost);
  onTestFinished(() => void process.off("unhandledRejection", lost));
  const { subscription } = subscribed();
  void subscription.offer(change(1));
  void subscription.offer(change(2));
  subscription.taken("flag a is none");
  subscription.taken("flag a is none");
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  expect(lost).not.toHaveBeenCalled();
});
