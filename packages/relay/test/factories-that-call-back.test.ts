import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type FlagStoreContext, isRelayError, memoryBigSegmentStore, memoryStore } from "../src/index.js";
import type { EnvironmentOptions } from "../src/options/options.js";
import { createRelay, type Relay } from "../src/relay.js";
import type { SourceFactory } from "../src/sources/source.js";

type Part = "source" | "store" | "bigSegments";
type Call = (relay: Relay, parts: Omit<EnvironmentOptions, "sdkKey">) => unknown;

/** What becomes of a call: `done`, or the code or name of its error. */
async function outcomeOf(call: () => unknown): Promise<string> {
  try {
    await call();
    return "done";
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return isRelayError(error) ? error.code : error.name;
  }
}

/** Calls `inner` out of the factory of that part, the first time that it is called after `arm`. */
function createHost(part: Part, inner: () => void) {
  const open = new Set<object>();
  let isArmed = false;
  const made = <Made extends { close(): unknown }>(of: Part, one: Made): Made => {
    open.add(one);
    const close = one.close.bind(one);
    one.close = () => {
      open.delete(one);
      return close();
    };
    if (isArmed && of === part) {
      isArmed = false;
      inner();
    }
    return one;
  };
  const source: SourceFactory = ({ sink }) => {
    void sink.apply({ extent: "full", items: [] });
    return made("source", { close: () => {} });
  };
  const parts = {
    source,
    store: () => made("store", memoryStore()),
    bigSegments: (context: FlagStoreContext) => made("bigSegments", memoryBigSegmentStore(context)),
  };
  const arm = () => {
    isArmed = true;
  };
  return { open, parts, arm };
}

const sdkKeys = ["sdk-a", "sdk-2", "sdk-3", "sdk-b", "sdk-x", "sdk-c"];

/** Lets one call to a relay with the environment `a` be made in the middle of another. */
async function run(part: Part, outer: Call, inner: Call) {
  let told = Promise.resolve("not called");
  const { open, parts, arm } = createHost(part, () => {
    told = outcomeOf(() => inner(relay, parts));
  });
  const relay = createRelay({
    environments: { a: { sdkKey: "sdk-a", mobileKey: "mob-a", ...parts } },
    events: false,
  });
  onTestFinished(() => relay.close({ within: 0 }));
  await relay.environments.add("gone", { sdkKey: "sdk-c", ...parts });
  await relay.environments.remove("gone");
  arm();
  const outcome = await outcomeOf(() => outer(relay, parts));
  const innerOutcome = await told;
  const server = createServer(relay.handler).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const found = sdkKeys.map(async (authorization) => {
    const { status } = await fetch(`http://127.0.0.1:${port}/sdk/flags`, { headers: { authorization } });
    return status === 200 ? [authorization] : [];
  });
  const served = (await Promise.all(found)).flat().join(" ");
  const names = relay.environments.names().join(" ");
  await relay.close({ within: "5s" });
  server.closeAllConnections();
  server.close();
  await expect.poll(() => open.size).toBe(0);
  return [outcome, innerOutcome, names, served];
}

const add: Call = ({ environments }, parts) =>
  environments.add("b", { sdkKey: "sdk-b", mobileKey: "mob-b", ...parts });
const filter: Call = ({ environments }) => environments.update("a", { filters: ["web"] });
const anew: Call = ({ environments }) => environments.update("a", { sdkKey: "sdk-c" });
const key: Call = ({ environments }) => environments.update("a", { sdkKey: "sdk-2" });
const rotation: Call = ({ environments }) => environments.rotateKey("a", { sdkKey: "sdk-2" });

const same: Call = ({ environments }, parts) => environments.add("b", { sdkKey: "sdk-x", ...parts });
const twin: Call = ({ environments }, parts) =>
  environments.add("c", { sdkKey: "sdk-x", mobileKey: "mob-b", ...parts });
const thief: Call = ({ environments }, parts) => environments.add("c", { sdkKey: "sdk-c", ...parts });
const remove: Call = ({ environments }) => environments.remove("a");
const rotate: Call = ({ environments }) => environments.rotateKey("a", { sdkKey: "sdk-3" });
const leak: Call = ({ environments }) => environments.update("a", { furtherMobileKeys: ["mob-2"] });
const others: Call = ({ environments }) => environments.update("a", { filters: ["web", "app"] });
const claim: Call = ({ environments }, parts) => environments.add("b", { sdkKey: "sdk-2", ...parts });
const further: Call = ({ environments }, parts) =>
  environments.add("b", { sdkKey: "sdk-b", furtherSdkKeys: ["sdk-2"], ...parts });
const former: Call = ({ environments }, parts) => environments.add("b", { sdkKey: "sdk-a", ...parts });
const close: Call = (relay) => relay.close({ within: 0 });

describe.each<Part>(["source", "store", "bigSegments"])("a factory of a %s that calls the relay", (part) => {
  test.each<[outer: string, inner: string, call: Call, within: Call, outcome: string[]]>([
    ["add", "adds the same", add, same, ["duplicate", "done", "a b", "sdk-a sdk-x"]],
    ["add", "adds one with a key of it", add, twin, ["duplicate", "done", "a c", "sdk-a sdk-x"]],
    ["add", "removes another", add, remove, ["done", "done", "b", "sdk-b"]],
    ["add", "changes the keys of another", add, rotate, ["done", "done", "a b", "sdk-3 sdk-b"]],
    ["add", "closes the relay", add, close, ["closed", "done", "a", ""]],
    ["a new filter", "removes the environment", filter, remove, ["unknown_environment", "done", "", ""]],
    ["a new filter", "replaces its key", filter, rotate, ["TypeError", "done", "a", "sdk-3"]],
    ["a new filter", "changes another option", filter, leak, ["TypeError", "done", "a", "sdk-a"]],
    ["a new filter", "adds the same filter", filter, others, ["TypeError", "done", "a", "sdk-a"]],
    ["a new filter", "adds another environment", filter, same, ["done", "done", "a b", "sdk-a sdk-x"]],
    ["a new filter", "closes the relay", filter, close, ["closed", "done", "a", ""]],
    ["other flags", "removes the environment", anew, remove, ["unknown_environment", "done", "", ""]],
    ["other flags", "replaces its key", anew, rotate, ["TypeError", "done", "a", "sdk-3"]],
    ["other flags", "gives its key away", anew, thief, ["duplicate", "done", "a c", "sdk-a sdk-c"]],
    ["other flags", "closes the relay", anew, close, ["closed", "done", "a", ""]],
  ])("at %s, it %s: all is as if it had done so before", async (_, __, call, within, outcome) => {
    expect(await run(part, call, within)).toEqual(outcome);
  });
});

test.each<[outer: string, inner: string, call: Call, within: Call, outcome: string[]]>([
  ["update", "removes the environment", key, remove, ["unknown_environment", "done", "", ""]],
  ["update", "replaces its key once more", key, rotate, ["done", "done", "a", "sdk-3"]],
  ["update", "adds filters", key, others, ["done", "done", "a", "sdk-2"]],
  ["update", "adds one with that key", key, claim, ["done", "duplicate", "a", "sdk-2"]],
  ["update", "adds one with that key as a further one", key, further, ["done", "duplicate", "a", "sdk-2"]],
  ["update", "adds one with the former key", key, former, ["done", "done", "a b", "sdk-a sdk-2"]],
  ["rotateKey", "adds one with that key", rotation, claim, ["done", "duplicate", "a", "sdk-2"]],
  ["rotateKey", "adds one with the former key", rotation, former, ["done", "done", "a b", "sdk-a sdk-2"]],
  ["update", "closes the relay", key, close, ["closed", "done", "a", ""]],
  ["rotateKey", "removes the environment", rotation, remove, ["done", "done", "", ""]],
  ["rotateKey", "replaces its key once more", rotation, rotate, ["done", "done", "a", "sdk-3"]],
  ["rotateKey", "adds filters", rotation, others, ["done", "done", "a", "sdk-2"]],
  ["rotateKey", "closes the relay", rotation, close, ["done", "done", "a", ""]],
])(
  "the source of a new key, after %s, %s: all is as if it had done so afterwards",
  async (_, __, call, within, outcome) => {
    expect(await run("source", call, within)).toEqual(outcome);
  },
);
