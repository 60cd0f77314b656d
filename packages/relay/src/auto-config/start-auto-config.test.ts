import { expect, test } from "vitest";
import type { ConfiguredEnvironments } from "../configured-environments.js";
import type { ResolvedOptions } from "../options/resolved-options.js";
import { createManualClock } from "../testing/manual-clock.js";
import type { AnnouncedChange, AnnouncedOptions } from "./announced-change.js";
import { startAutoConfig } from "./start-auto-config.js";

const announced = (sdkKey: string): AnnouncedOptions => ({
  sdkKey,
  furtherSdkKeys: [],
  secureMode: false,
  ttl: 0,
  about: {},
  filters: [],
});

/** A configuration that the test announces, and what becomes of it, as soon as `ready`. */
function setUp(ready: Promise<void> = Promise.resolve()) {
  const clock = createManualClock();
  const said: string[] = [];
  const say = (what: string) => (message: string) => void said.push(`${what}: ${message}`);
  const served = new Map<string, object>();
  let sink: Parameters<Parameters<typeof startAutoConfig>[0]["startSource"]>[0]["sink"] | undefined;
  const environments = {
    get size() {
      return served.size;
    },
    async apply(wanted: ReadonlyMap<string, object | undefined>) {
      for (const [id, options] of wanted)
        if (options === undefined) served.delete(id);
        else served.set(id, options);
      await ready;
    },
    close: () => void said.push("close environments"),
  };
  const configuration = startAutoConfig({
    // No more of these is used.
    settings: { key: "rel-1", defaults: { allowedOrigins: ["https://a.example"], ttl: 5 } } as never,
    options: {
      clock,
      random: () => 0,
      initTimeoutMs: 10_000,
      logger: { debug() {}, info: say("info"), warn: say("warn"), error: say("error") },
    } as unknown as ResolvedOptions,
    environments: environments as unknown as ConfiguredEnvironments,
    report: ({ code, message }) => void said.push(`report ${code}: ${message}`),
    startSource(context) {
      said.push(`start ${context.key}`);
      sink = context.sink;
      return { close: () => void said.push("close source") };
    },
  });
  if (sink === undefined) throw new Error("the source was not started");
  const send = sink;
  const apply = (
    environmentsNow: Record<string, AnnouncedOptions | undefined>,
    more: Partial<AnnouncedChange> = {},
  ) =>
    send.apply({
      environments: new Map(Object.entries(environmentsNow)),
      broken: new Map(),
      problems: [],
      isWhole: true,
      ...more,
    });
  const isSettled = async () => {
    let is = false;
    void configuration.settled.then(() => {
      is = true;
    });
    await new Promise(setImmediate);
    return is;
  };
  return { clock, said, served, sink: send, configuration, apply, isSettled };
}

const name = "[automatic configuration]";

test("what is announced is served with the defaults of the host, and known from the first full set on", async () => {
  const { apply, configuration, served, said, isSettled, clock } = setUp();
  expect([configuration.configured, configuration.status.state]).toEqual([false, "INITIALIZING"]);
  apply({ a: announced("sdk-a") }, { isWhole: false });
  expect([configuration.configured, configuration.status.state, await isSettled()]).toEqual([
    false,
    "VALID",
    false,
  ]);
  apply({ b: announced("sdk-b") });
  expect([configuration.configured, await isSettled(), clock.pending]).toEqual([true, true, 0]);
  expect([...served]).toEqual(
    ["a", "b"].map((id) => [id, { allowedOrigins: ["https://a.example"], ...announced(`sdk-${id}`) }]),
  );
  apply({ b: announced("sdk-c") }, { problems: ["no number"] });
  await isSettled();
  expect(said).toEqual(["start rel-1", `info: ${name} environments: 2`, "report malformed_data: no number"]);
});

test("who waits for the first environments does so until they are there", async () => {
  let go = () => {};
  const { apply, said, isSettled } = setUp(
    new Promise((resolve) => {
      go = resolve;
    }),
  );
  apply({ a: announced("sdk-a") });
  expect([await isSettled(), said]).toEqual([false, ["start rel-1"]]);
  go();
  expect([await isSettled(), said.at(-1)]).toEqual([true, `info: ${name} environments: 1`]);
});

test("it is told when all environments are taken away, once, and not when there were none", async () => {
  const { apply, said, isSettled } = setUp();
  apply({});
  apply({ a: announced("sdk-a"), b: announced("sdk-b") });
  apply({ a: undefined });
  await isSettled();
  const all = `warn: ${name} upstream has taken all environments away: their keys are answered 401`;
  expect(said).not.toContain(all);
  apply({ b: undefined });
  apply({});
  expect(said.filter((line) => line === all)).toHaveLength(1);
});

test("all are not taken away where another one takes their place, though it is not there yet", () => {
  const { apply, served, said } = setUp();
  apply({ a: announced("sdk-a") });
  served.set = () => served;
  apply({ a: undefined, b: announced("sdk-b") });
  expect([served.size, said]).toEqual([0, ["start rel-1"]]);
});

test("nobody waits beyond the time, nor when the key is refused, which is reported", async () => {
  const late = setUp();
  late.clock.advance(9999);
  expect([await late.isSettled(), late.said]).toEqual([false, ["start rel-1"]]);
  late.clock.advance(1);
  expect([await late.isSettled(), late.said.at(-1)]).toEqual([
    true,
    `error: ${name} nothing was received within initTimeout; still trying`,
  ]);
  const refused = setUp();
  refused.sink.refused("upstream answered 401");
  expect([await refused.isSettled(), refused.clock.pending]).toEqual([true, 0]);
  expect(refused.configuration.status).toMatchObject({
    state: "OFF",
    lastError: { kind: "ERROR_RESPONSE" },
  });
  expect(refused.said.at(-1)).toBe(
    "report refused: upstream does not accept the key of automatic configuration: upstream answered 401",
  );
});

test("an interruption is in the status, and reported when what was said cannot be used", () => {
  const { sink, said, configuration } = setUp();
  sink.interrupted("NETWORK_ERROR", "the connection failed");
  expect([said, configuration.status.lastError?.kind]).toEqual([["start rel-1"], "NETWORK_ERROR"]);
  sink.interrupted("INVALID_DATA", "no JSON");
  expect(said.at(-1)).toBe("report malformed_data: no JSON");
});

test("closing closes the environments before the source, and nobody waits any more", async () => {
  const { configuration, said, isSettled, clock } = setUp();
  configuration.close();
  expect([said.slice(1), await isSettled(), clock.pending, configuration.status.state]).toEqual([
    ["close environments", "close source"],
    true,
    0,
    "OFF",
  ]);
});
