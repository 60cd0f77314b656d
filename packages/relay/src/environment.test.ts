import { describe, expect, test } from "vitest";
import { type AcceptedKey, credentialDigest, type EnvironmentKeys } from "./credentials.js";
import { type Ending, Environment, type EnvironmentParts } from "./environment.js";
import { KeyRing } from "./key-ring.js";
import { newEnvironment } from "./options/read-environment.js";
import type { ResolvedEnvironment } from "./options/resolved-options.js";
import type { Subscriber } from "./streaming/subscriber.js";
import { createManualClock } from "./testing/manual-clock.js";

type Stream = Pick<Subscriber, "channel" | "audience" | "credential" | "origin" | "voucher">;

const keys: EnvironmentKeys = { sdkKey: "sdk-1", further: [] };
const digest = (key: string) => credentialDigest("sdkKey", key);

/** An environment whose parts say what they are told. */
function setUp(streams: Readonly<Record<string, Partial<Stream>>> = {}, settings: object = {}) {
  const said: string[] = [];
  const say = (what: string) => () => void said.push(what);
  const clock = createManualClock();
  const ring = new KeyRing(clock, keys, () => {});
  const open = new Map(
    Object.entries(streams).map(([name, stream]): [Stream, string] => [
      {
        channel: "client",
        audience: "browser",
        credential: digest("sdk-1"),
        origin: undefined,
        voucher: undefined,
        ...stream,
      },
      name,
    ]),
  );
  const ends = new Map<string, () => void>();
  const spreads: number[] = [];
  /** Says that something is being closed, and ends at the deadline, or when all may end. */
  const closing = (what: string) => (until: Promise<void> | Ending) => {
    said.push(`close ${what}`);
    if (!(until instanceof Promise)) spreads.push(until.spreadMs);
    const deadline = until instanceof Promise ? until : until.deadline;
    return Promise.race([deadline, new Promise<void>((resolve) => void ends.set(what, resolve))]);
  };
  const parts = {
    name: "one",
    settings: { ...newEnvironment, keys, ...settings },
    options: { clock, random: () => 0 },
    ring,
    problem: () => undefined,
    timers: { close: say("close timers"), later: clock.schedule },
    sources: { closeUnaccepted: say("close unaccepted"), close: say("close sources"), use: say("use") },
    streams: {
      subscribers: () => [...open.keys()],
      endThese(some: readonly Stream[]) {
        for (const one of some) said.push(`end ${open.get(one)}`);
      },
      endAll: closing("streams"),
    },
    store: { noteKeys: say("note keys"), close: closing("store") },
    events: { close: closing("events") },
    goals: { close: say("close goals") },
    bigSegments: { close: closing("members") },
    readiness: { close: say("close readiness") },
    stepAside: (isLeaving: boolean) => void said.push(`step aside ${isLeaving}`),
  };
  // No more of the parts is used.
  const environment = new Environment(parts as unknown as EnvironmentParts);
  return { environment, ring, said, ends, spreads, end: () => ends.forEach((one) => void one()) };
}

const settingsWith = (more: Partial<ResolvedEnvironment>): ResolvedEnvironment => ({
  ...newEnvironment,
  keys,
  ...more,
});

describe("other settings", () => {
  test("end the streams of pages whose origin is not allowed any more", () => {
    const { environment, said } = setUp({
      allowed: { origin: "https://a.example" },
      other: { origin: "https://b.example" },
      ping: { origin: "https://b.example", channel: "ping" },
      none: {},
      mobile: { origin: "https://b.example", audience: "mobile" },
      server: { origin: "https://b.example", channel: "all" },
    });
    environment.change(settingsWith({ allowedOrigins: ["https://a.example"] }));
    expect(said).toEqual(["note keys", "end other", "end ping"]);
    expect(environment.allowsOrigin("https://b.example")).toBe(false);
  });

  test("that ask for proofs end the streams of contexts without one", () => {
    const { environment, said } = setUp({
      proved: { voucher: "sdk-1" },
      unproved: {},
      former: { voucher: "sdk-0" },
      ping: { channel: "ping" },
      mobile: { audience: "mobile" },
    });
    environment.change(settingsWith({}));
    expect(said.splice(0)).toEqual(["note keys"]);
    environment.change(settingsWith({ secureMode: true }));
    expect(said).toEqual(["note keys", "end unproved", "end former"]);
  });
});

test("with a credential that goes the streams go that were opened with it, or carry what was proved with it", () => {
  const further: AcceptedKey = { kind: "sdkKey", value: "sdk-0" };
  const { environment, ring, said } = setUp(
    {
      opened: { credential: digest("sdk-0"), channel: "all" },
      proved: { voucher: "sdk-0" },
      other: { voucher: "sdk-1" },
      all: { channel: "all" },
    },
    { secureMode: true },
  );
  ring.replace({ ...keys, further: [further] });
  environment.dropUnaccepted();
  expect(said.splice(0)).toEqual(["close unaccepted"]);
  ring.replace(keys);
  environment.dropUnaccepted();
  expect(said).toEqual(["close unaccepted", "end opened", "end proved"]);
});

describe("closing", () => {
  const parts = [
    ...["step aside true", "close timers", "close sources", "close goals", "close readiness"],
    ...["close streams", "close store", "close members", "close events"],
  ];

  test("ends everything once, and waits for what takes its time", async () => {
    const { environment, said, end } = setUp();
    expect(environment.closed).toBe(false);
    const never = new Promise<void>(() => {});
    const closed = [1, 2].map(() => environment.close({ deadline: never, spreadMs: 0 }));
    expect([environment.closed, said]).toEqual([true, parts]);
    end();
    await Promise.all(closed);
  });

  test("ends at whichever deadline comes first", async () => {
    const { environment, said } = setUp();
    const never = new Promise<void>(() => {});
    const closed = environment.close({ deadline: never, spreadMs: 0 });
    await environment.close({ deadline: Promise.resolve(), spreadMs: 0 });
    await closed;
    expect(said).toEqual(parts);
  });
});

test.each(["streams", "store", "members", "events"])(
  "who closes waits for the %s, and for all else",
  async (last) => {
    const { environment, ends, spreads } = setUp();
    let isClosed = false;
    const closed = environment.close({ deadline: new Promise(() => {}), spreadMs: 500 }).then(() => {
      isClosed = true;
    });
    expect([[...ends.keys()].sort(), spreads]).toEqual([["events", "members", "store", "streams"], [500]]);
    for (const [what, end] of ends) if (what !== last) end();
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    ends.get(last)?.();
    await closed;
  },
);
