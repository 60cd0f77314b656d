import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { createLanes } from "../lanes.js";
import { silentLogger } from "../logger.js";
import type { SdkFamily } from "../sdk-family.js";
import { createManualClock } from "../testing/manual-clock.js";
import { EventForwarder } from "./event-forwarder.js";

/** The forwarder of an environment, and as whom upstream is asked where, until it takes a post. */
function setUp({ taken = "all", capacity = 10 }: { taken?: string; capacity?: number } = {}) {
  const clock = createManualClock();
  const asked: string[] = [];
  const errors: string[] = [];
  const keys = { sdk: ["sdk-1", "sdk-0"], mobile: ["mob-1", "mob-0"], envId: "id" as string | undefined };
  const ofOthers = new Set<string>();
  const port = {
    logger: { ...silentLogger, error: (message: string) => void errors.push(message) },
    clock,
    upstream: {
      events: "http://upstream/x",
      eventLanes: createLanes(64),
      requestTimeoutMs: 1000,
      dispatcher: {
        async request({ path, headers }: { path: string; headers: Readonly<Record<string, unknown>> }) {
          const { authorization = "" } = headers;
          asked.push(`${path} ${authorization}`.trim());
          const statusCode = taken === "all" || taken === authorization ? 202 : 401;
          return { statusCode, headers: {}, body: Readable.from([]) };
        },
      },
    },
    later: (ms: number, run: () => void) => clock.schedule(ms, run),
    countEvents() {},
    queuedEvents() {},
    sdkKeys: () => keys.sdk,
    mobileKeys: () => keys.mobile,
    isOwnKey: (kind: "sdkKey" | "mobileKey", key: string) => !ofOthers.has(`${kind} ${key}`),
    envId: () => keys.envId,
    findFlag: () => undefined,
  };
  const settings = {
    flushIntervalMs: 5000,
    capacity,
    capacityBytes: 1e6,
    maxBodyBytes: 777,
    retryDelayMs: 1,
  };
  const forwarder = new EventForwarder(port, settings);
  const accept = async (family: SdkFamily, text = "[1]") => {
    const body = Buffer.from(text);
    const found = await forwarder.look(body);
    return forwarder.accept(family, body, found, { "x-launchdarkly-event-schema": "4" });
  };
  const close = (deadline: Promise<void> = new Promise(() => {})) => forwarder.close(deadline);
  return { forwarder, accept, close, asked, errors, keys, ofOthers };
}

test.each<[SdkFamily, string, string]>([
  ["server", "/x/bulk sdk-1", "/x/diagnostic sdk-9"],
  ["mobile", "/x/mobile mob-1", "/x/mobile/events/diagnostic sdk-9"],
  ["browser", "/x/events/bulk/id", "/x/events/diagnostic/id sdk-9"],
])("what comes from %s SDKs goes where upstream expects it of them", async (family, events, diagnostic) => {
  const { forwarder, accept, close, asked } = setUp();
  expect(await accept(family)).toBe("taken");
  await close();
  expect(asked.splice(0)).toEqual([events]);
  forwarder.forwardDiagnostic(family, Buffer.from("{}"), { authorization: "sdk-9" });
  await close();
  expect(asked).toEqual([diagnostic]);
});

test.each<[SdkFamily, string, readonly string[]]>([
  ["server", "sdk-0", ["/x/bulk sdk-1", "/x/bulk sdk-0"]],
  ["mobile", "mob-0", ["/x/mobile mob-1", "/x/mobile mob-0"]],
])(
  "events of %s SDKs go on with another key of the environment, unless others have had it",
  async (family, key, both) => {
    const kind = family === "server" ? "sdkKey" : "mobileKey";
    const other = family === "server" ? "mobileKey" : "sdkKey";
    for (const [of, asked] of [
      [`${other} ${key}`, both],
      [`${kind} ${key}`, both.slice(0, 1)],
    ] as const) {
      const given = setUp({ taken: key });
      given.ofOthers.add(of);
      await given.accept(family);
      await given.close();
      expect(given.asked).toEqual(asked);
    }
  },
);

test("events of pages go on under another ID when the first is refused, and nowhere when there is none", async () => {
  const { accept, close, asked, keys } = setUp({ taken: "none" });
  await accept("browser");
  keys.envId = "other";
  await close();
  const none = setUp();
  none.keys.envId = undefined;
  await none.accept("browser");
  await none.close();
  expect([asked, none.asked]).toEqual([["/x/events/bulk/id", "/x/events/bulk/other"], []]);
});

test("of a body as many events are found as may be kept", async () => {
  const { forwarder } = setUp({ capacity: 2 });
  expect(await forwarder.look(Buffer.from("[1,2,3]"))).toMatchObject({ count: 3, ends: [2, 4] });
  expect(forwarder.maxBodyBytes).toBe(777);
});

test("what could not be delivered is told as one number for all kinds of SDKs, and nothing where all was", async () => {
  const delivered = setUp();
  await delivered.accept("server", "[1,2]");
  await delivered.close();
  expect(delivered.errors).toEqual([]);
  const late = setUp();
  await late.accept("server", "[1,2]");
  await late.accept("mobile", "[1]");
  const over = Promise.resolve();
  await over;
  await late.close(over);
  expect(late.errors).toEqual(["events: 3 could not be delivered before their environment was closed"]);
});

test("kinds of SDKs take no room from each other", async () => {
  const { accept, close, asked } = setUp({ capacity: 1 });
  for (const family of ["browser", "server", "browser", "mobile"] as const) await accept(family);
  await close();
  expect(asked.sort()).toEqual(["/x/bulk sdk-1", "/x/events/bulk/id", "/x/mobile mob-1"]);
});
