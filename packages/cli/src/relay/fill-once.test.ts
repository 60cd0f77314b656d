import { createRelay, type RelayStatus } from "@wye/relay";
import { expect, onTestFinished, test, vi } from "vitest";
import { Config } from "./config/config.js";
import { fillOnce } from "./fill-once.js";

/** The status of a relay whose only environment has data, with members that were in step at these times. */
async function statusWith(lastSynchronizedOn: number | undefined): Promise<RelayStatus> {
  const relay = createRelay({
    environments: { a: { sdkKey: "sdk", source: () => ({ close() {} }) } },
    initTimeout: 1,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const status = relay.status();
  await relay.close({ within: 0 });
  const { a } = status.environments;
  if (a === undefined) throw new Error("no environment");
  const valid = { state: "VALID", stateSince: 0 } as const;
  const members =
    lastSynchronizedOn === undefined
      ? {}
      : { bigSegmentStatus: { available: true, potentiallyStale: false, lastSynchronizedOn } };
  const environment = {
    ...a,
    connectionStatus: valid,
    dataStoreStatus: { ...a.dataStoreStatus, ...valid },
    ...members,
  };
  return { ...status, environments: { a: environment } };
}

function configWith(initTimeout: string): Config {
  const setting = {
    section: "Main",
    name: "",
    key: "initTimeout",
    text: initTimeout,
    medium: "file",
  } as const;
  return Config.from([{ ...setting, origin: "line 1" }]).config;
}

const future = Number.MAX_SAFE_INTEGER;
const behind = "[a] the database does not have the members of big segments";

test.each([
  { name: "no big segment", times: [undefined], initTimeout: "10h", errors: [] },
  { name: "members in step", times: [future], initTimeout: "10h", errors: [] },
  { name: "members that come later", times: [0, 0, future], initTimeout: "10h", errors: [] },
  { name: "members that never come", times: [0], initTimeout: "1ms", errors: [behind] },
  { name: "members of an earlier run", times: [1_700_000_000_000], initTimeout: "1ms", errors: [behind] },
])("$name: $errors", async ({ times, initTimeout, errors }) => {
  const statuses = await Promise.all(times.map(statusWith));
  const last = await statusWith(times.at(-1));
  const said: string[] = [];
  const relay = {
    ready: async () => last,
    status: () => statuses.shift() ?? last,
    close: async () => {},
  };
  const log = { error: (message: string) => said.push(message) };
  const code = await fillOnce({ relay, log, config: configWith(initTimeout) }, new AbortController().signal);
  expect(said).toEqual(errors.map((error) => expect.stringContaining(error)));
  expect(code).toBe(errors.length === 0 ? 0 : 1);
});

test("whoever asks it to end while members are missing is told so", async () => {
  const asked = new AbortController();
  const status = await statusWith(0);
  const said: string[] = [];
  const relay = {
    ready: async () => status,
    status() {
      asked.abort();
      return status;
    },
    close: async () => {},
  };
  const log = { error: (message: string) => said.push(message) };
  expect(await fillOnce({ relay, log, config: configWith("10h") }, asked.signal)).toBe(1);
  expect(said).toEqual([expect.stringContaining(behind)]);
});

/** How it ends with a relay of this status, what it says, and how long the relay may take to close. */
async function filled(
  ready: RelayStatus | undefined,
  drainTimeout = "10s",
  last = ready,
): Promise<{
  readonly code: number;
  readonly said: readonly string[];
  readonly withins: readonly unknown[];
}> {
  const asked = new AbortController();
  const [said, withins]: [string[], unknown[]] = [[], []];
  const relay = {
    ready: () => {
      if (ready !== undefined) return Promise.resolve(ready);
      asked.abort();
      return new Promise<RelayStatus>(() => {});
    },
    status: () => last ?? expect.unreachable("nobody asks for it"),
    close: async (options?: { readonly within?: number }) => void withins.push(options?.within),
  };
  const setting = {
    section: "Wye",
    name: "",
    key: "drainTimeout",
    text: drainTimeout,
    medium: "file",
  } as const;
  const { config } = Config.from([{ ...setting, origin: "line 1" }]);
  const log = { error: (message: string) => said.push(message) };
  return { code: await fillOnce({ relay, log, config }, asked.signal), said, withins };
}

const good = await statusWith(undefined);
const [{ a: environment }] = [good.environments];
const withEnvironment = (changes: object): RelayStatus =>
  ({ ...good, environments: { a: environment, b: { ...environment, ...changes } } }) as RelayStatus;
const lost = { state: "INTERRUPTED", stateSince: 0 };
const failed = "Unable to create relay: one or more environments failed to initialize";

test.each<[what: string, status: RelayStatus | undefined, said: readonly string[]]>([
  ["all is well", good, []],
  ["one has no data", withEnvironment({ connectionStatus: lost }), [failed]],
  ["nothing was announced", { ...good, configurationStatus: lost } as RelayStatus, [failed]],
  [
    "what was announced is there",
    { ...good, configurationStatus: { state: "VALID", stateSince: 0 } } as RelayStatus,
    [],
  ],
  [
    "one cannot be written",
    withEnvironment({ dataStoreStatus: { ...environment?.dataStoreStatus, ...lost } }),
    ["[b] the database does not have the flags: it could not be written"],
  ],
  ["it is asked to end before", undefined, ["asked to end before every environment had data"]],
])("where %s it ends with what is to be said of that, and closes the relay once", async (_, status, said) => {
  const ended = await filled(status);
  expect(ended).toEqual({ code: said.length === 0 ? 0 : 1, said, withins: [10_000] });
});

test("what can still be written has the time that the configuration gives", async () => {
  expect((await filled(good, "3s")).withins).toEqual([3000]);
  expect((await filled(good, "-3s")).withins).toEqual([0]);
});

test.each([
  [5000, 0],
  [4999, 1],
])("members that were in step at %i are those of a start at 5000: ends with %i", async (ms, code) => {
  const now = vi.spyOn(Date, "now").mockReturnValue(5000);
  onTestFinished(() => now.mockRestore());
  const status = await statusWith(ms);
  const relay = { ready: async () => status, status: () => status, close: async () => {} };
  const config = configWith("0s");
  expect(await fillOnce({ relay, log: { error() {} }, config }, new AbortController().signal)).toBe(code);
});

test.each<readonly [how: string, asked: boolean, state: "VALID" | "INTERRUPTED"]>([
  ["was asked to end", true, "VALID"],
  ["an environment has failed", false, "INTERRUPTED"],
  ["all is there", false, "VALID"],
])("it ends when the relay is closed, and not before: %s", async (_, isAsked, state) => {
  const status = await statusWith(undefined);
  const { a } = status.environments;
  if (a === undefined) expect.unreachable();
  const connectionStatus = { ...a.connectionStatus, state };
  const ready = { ...status, environments: { a: { ...a, connectionStatus } } };
  const asked = new AbortController();
  let closed = () => {};
  const relay = {
    ready: () => (isAsked ? new Promise<RelayStatus>(() => asked.abort()) : Promise.resolve(ready)),
    status: () => status,
    close: () =>
      new Promise<void>((resolve) => {
        closed = resolve;
      }),
  };
  let hasEnded = false;
  const ended = fillOnce({ relay, log: { error() {} }, config: configWith("10h") }, asked.signal).then(() => {
    hasEnded = true;
  });
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
  expect(hasEnded).toBe(false);
  closed();
  await ended;
});
