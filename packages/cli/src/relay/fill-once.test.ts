import { createRelay, type RelayStatus } from "@wye/relay";
import { expect, test } from "vitest";
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
