import { expect, test } from "vitest";
import { credentialDigest } from "./credentials.js";
import { invalidOptions, malformedData, RelayError } from "./error.js";
import { resolveOptions } from "./options/resolve-options.js";
import { createManualClock } from "./testing/manual-clock.js";
import { UnservedEnvironments } from "./unserved-environments.js";

function setUp() {
  const clock = createManualClock(1000);
  const unserved = new UnservedEnvironments(resolveOptions({ environments: {}, clock }));
  return {
    clock,
    unserved,
    knows: (sdkKey: string) => unserved.knows(credentialDigest("sdkKey", sdkKey)),
  };
}

const wanted = { sdkKey: "sdk-a", filters: ["web"] };

test("what is named again for the same reason is what it was, and otherwise has failed once more", () => {
  const { clock, unserved } = setUp();
  const shortfall = { wanted, error: new RelayError("duplicate", "there is another one") };
  unserved.replace(new Map([["a", shortfall]]));
  const [first] = unserved.entries();
  const failed = () => first?.sources.status.lastError;
  expect([first?.problem, failed()]).toEqual(["there is another one", { kind: "UNKNOWN", time: 1000 }]);
  clock.advance(10);
  unserved.replace(new Map([["a", { ...shortfall }]]));
  expect([unserved.entries()[0], failed()]).toEqual([first, { kind: "UNKNOWN", time: 1000 }]);
  unserved.replace(new Map([["a", { wanted, error: malformedData("no number") }]]));
  expect([first?.problem, failed()]).toEqual(["no number", { kind: "INVALID_DATA", time: 1010 }]);
  clock.advance(10);
  unserved.replace(new Map([["a", { wanted: { sdkKey: "sdk-b" }, error: new Error("secret") }]]));
  expect([first?.problem, failed()]).toEqual([
    "a function of the host has thrown; the log has what",
    { kind: "UNKNOWN", time: 1020 },
  ]);
  expect([first?.keys.sdkKey, first?.sources.lostMs]).toEqual(["sdk-b", 20]);
});

test("a key, and a filter, is known as long as one that is named, or about to be served, may have it", () => {
  const { unserved, knows } = setUp();
  const state = () => [
    knows("sdk-a"),
    knows("sdk-b"),
    unserved.wantsFilter("a", "web"),
    unserved.wantsFilter("a", "app"),
    unserved.wantsFilter("b", "web"),
    unserved.problemOf("a"),
  ];
  expect(state()).toEqual([false, false, false, false, false, undefined]);
  unserved.replace(new Map([["a", { wanted, error: malformedData("no number") }]]));
  expect(state()).toEqual([true, false, true, false, false, "no number"]);
  unserved.expect(new Set(["b"]));
  expect(state()).toEqual([true, true, true, false, true, "no number"]);
  unserved.expect(new Set());
  unserved.forget("a");
  expect(state()).toEqual([false, false, false, false, false, undefined]);
});

test("all that is wrong with options is the problem, in one line", () => {
  const { unserved } = setUp();
  unserved.replace(new Map([["a", { wanted, error: invalidOptions(["no key", "no filter"]) }]]));
  expect(unserved.problemOf("a")).toBe("no key; no filter");
  unserved.forget("a");
  expect(unserved.problemOf("a")).toBeUndefined();
});
