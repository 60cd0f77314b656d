import { expect, onTestFinished, test } from "vitest";
import type { BigSegmentStore, Memberships } from "../src/big-segments/big-segment-store.js";
import { memoryBigSegmentStore } from "../src/big-segments/memory-big-segment-store.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { createStoreContext } from "../src/testing/store-context.js";
import { beta, clause, early, hashOf, patch, rule, sdk, start, statusOf, until } from "./start-members.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

test("members get what their segment gives, others do not, and the reason says how sure that is", async () => {
  const running = await start();
  await until(() => (statusOf(running)?.lastSynchronizedOn ?? 0) > 0);
  expect(await running.ask("alice")).toMatchObject({ value: "in", reason: { bigSegmentsStatus: "HEALTHY" } });
  expect(await running.ask("bob")).toMatchObject({ value: "out", reason: { bigSegmentsStatus: "HEALTHY" } });
  expect(statusOf(running)).toMatchObject({ available: true, potentiallyStale: false });
  expect(running.relay.status().status).toBe("healthy");
});

test("members are stale while a store lacks a step that it refused, though another relay says that it is in step", async () => {
  const memory = memoryBigSegmentStore(createStoreContext());
  let refuses = false;
  const running = await start({
    store: {
      ...memory,
      apply: (step, signal) => (refuses ? Promise.reject(new Error("no disk")) : memory.apply(step, signal)),
      synchronizedOn: async () => Date.now(),
    },
  });
  const sureness = async () => {
    await running.ask("alice");
    return [statusOf(running)?.potentiallyStale, (await running.ask("alice")).reason?.bigSegmentsStatus];
  };
  await until(async () => running.members.streams === 1 && (await sureness())[0] === false);
  expect(await sureness()).toEqual([false, "HEALTHY"]);
  refuses = true;
  const step = patch("v1", "v2", { add: [hashOf("bob")] });
  running.members.history.push(step);
  running.members.stream([step]);
  await until(async () => (await sureness())[0] === true);
  expect(await sureness()).toEqual([true, "STALE"]);
  refuses = false;
  await until(async () => (await running.ask("bob")).value === "in");
  await until(async () => (await sureness())[0] === false);
  expect(await sureness()).toEqual([false, "HEALTHY"]);
});

test("without a big segment nobody is asked, and the status says nothing; the first one starts everything", async () => {
  const running = await start({ segments: { small: { key: "small", version: 1, included: [], salt: "s" } } });
  expect((await running.ask("alice")).value).toBe("out");
  expect(statusOf(running)).toBeUndefined();
  expect(running.members.requests).toEqual([]);
  running.upstream.environment(keys.sdkKey).patch("segments", beta);
  await until(async () => (await running.ask("alice")).value === "in");
  expect(running.members.requests[0]).toBe(`/sdk/big-segments/revisions ${keys.sdkKey}`);
});

test("a segment that is new finds the members that it has, also where their context was asked about a moment ago", async () => {
  const running = await start();
  running.members.history.push({ ...patch("v1", "v2", { add: [hashOf("alice")] }), segmentId: "gamma.g1" });
  await until(async () => (await running.store.cursor(new AbortController().signal)) !== undefined);
  running.members.stream([...running.members.history].slice(1));
  await until(async () => (await running.store.cursor(new AbortController().signal)) === "v2");
  expect((await running.ask("alice")).value).toBe("in");
  const clauses = [{ ...clause, values: ["gamma"] }];
  running.upstream.environment(keys.sdkKey).patch("segments", { ...beta, key: "gamma", generation: 1 });
  running.upstream
    .environment(keys.sdkKey)
    .patch("flags", { ...early, key: "later", rules: [{ ...rule, clauses }] });
  const path = `/sdk/evalx/${keys.envId}/contexts/${running.pathFor("alice")}`;
  let later: { value: unknown } | undefined;
  await until(async () => {
    later = JSON.parse((await running.fetch("GET", path)).body).later;
    return later !== undefined;
  });
  expect(later?.value).toBe("in");
});

test("streams of evaluated flags follow memberships: only of contexts that they concern", async () => {
  const running = await start();
  await until(() => (statusOf(running)?.lastSynchronizedOn ?? 0) > 0);
  const open = (name: string) => running.open(`/eval/${keys.envId}/${running.pathFor(name)}`);
  const [alice, bob] = await Promise.all([open("alice"), open("bob")]);
  expect(JSON.parse((await alice.next()).data).early.value).toBe("in");
  expect(JSON.parse((await bob.next()).data).early.value).toBe("out");
  const step = patch("v1", "v2", { add: [hashOf("bob")] });
  running.members.history.push(step);
  running.members.stream([step]);
  const event = await bob.next();
  expect(event.event).toBe("put");
  expect(JSON.parse(event.data).early.value).toBe("in");
  running.upstream.environment(keys.sdkKey).patch("flags", flag("plain", 2));
  // What alice hears next is the flag: the members of others are none of her business.
  expect(await alice.next()).toMatchObject({ event: "patch" });
  alice.close();
  bob.close();
});

test("a flag that comes to depend on a big segment is evaluated with the memberships, on open streams too", async () => {
  const running = await start();
  await until(() => (statusOf(running)?.lastSynchronizedOn ?? 0) > 0);
  const environment = running.upstream.environment(keys.sdkKey);
  environment.put({ flags: { plain: flag("plain", 1) }, segments: { beta } });
  const stream = await running.open(`/eval/${keys.envId}/${running.pathFor("alice")}`);
  await stream.next();
  environment.patch("flags", { ...early, version: 2 });
  let heard = await stream.next();
  while (!heard.data.includes('"early"')) heard = await stream.next();
  expect(heard.data).toContain('"value":"in"');
  stream.close();
});

test.each([
  ["a new generation of its segment", "beta.g3", { ...beta, version: 2, generation: 3 }],
  ["the segment", "gamma.g1", { ...beta, key: "gamma", generation: 1 }],
])("members that come before %s reach the streams that are open", async (_what, segmentId, segment) => {
  const running = await start();
  await until(() => (statusOf(running)?.lastSynchronizedOn ?? 0) > 0);
  const environment = running.upstream.environment(keys.sdkKey);
  const clauses = [{ ...clause, values: ["beta", "gamma"] }];
  environment.patch("flags", { ...early, version: 2, rules: [{ ...rule, clauses }] });
  await until(async () =>
    (await running.fetch("GET", "/sdk/flags/early", { headers: sdk })).body.includes('"gamma"'),
  );
  const stream = await running.open(`/eval/${keys.envId}/${running.pathFor("bob")}`);
  expect(JSON.parse((await stream.next()).data).early.value).toBe("out");
  const step = { ...patch("v1", "v2", { add: [hashOf("bob")] }), segmentId };
  running.members.history.push(step);
  running.members.stream([step]);
  await until(async () => (await running.store.cursor(new AbortController().signal)) === "v2");
  environment.patch("segments", segment);
  let heard = await stream.next();
  while (!heard.data.includes('"value":"in"')) heard = await stream.next();
  stream.close();
});

/** A store of which the test says what becomes of questions about contexts. */
function storeAsking(ask: (real: () => Promise<Memberships>) => Promise<Memberships>): BigSegmentStore {
  const memory = memoryBigSegmentStore(createStoreContext());
  return { ...memory, memberships: (hash, signal) => ask(() => memory.memberships(hash, signal)) };
}

test.each(["the stream is open", "the stream opens"])(
  "a question about a context that fails once while %s is asked again",
  async (when) => {
    let fails = when === "the stream opens";
    const clock = createManualClock();
    const running = await start({
      store: storeAsking(async (real) => {
        if (!fails) return await real();
        fails = false;
        throw new Error("ProvisionedThroughputExceededException");
      }),
      options: { clock },
    });
    await until(() => (statusOf(running)?.lastSynchronizedOn ?? 0) > 0);
    const name = fails ? "alice" : "bob";
    const stream = await running.open(`/eval/${keys.envId}/${running.pathFor(name)}`);
    expect(JSON.parse((await stream.next()).data).early.value).toBe("out");
    if (name === "bob") {
      fails = true;
      const step = patch("v1", "v2", { add: [hashOf("bob")] });
      running.members.history.push(step);
      running.members.stream([step]);
      await until(() => !fails);
    }
    const told = stream.next();
    let isTold = false;
    void told.then(() => {
      isTold = true;
    });
    await until(() => {
      clock.advance(100);
      return isTold;
    });
    expect(JSON.parse((await told).data).early.value).toBe("in");
    expect(statusOf(running)).toMatchObject({ available: true });
    stream.close();
  },
);

test("while the store fails about all contexts the status says so, and streams are told once it does not, though nobody else asks", async () => {
  let fails = true;
  const clock = createManualClock();
  const running = await start({
    store: storeAsking(async (real) => {
      if (fails) throw new Error("NOPERM");
      return await real();
    }),
    options: { clock },
  });
  await until(() => (statusOf(running)?.lastSynchronizedOn ?? 0) > 0);
  const stream = await running.open(`/eval/${keys.envId}/${running.pathFor("alice")}`);
  expect(JSON.parse((await stream.next()).data).early.value).toBe("out");
  for (const name of ["bob", "carol"]) await running.ask(name);
  expect(statusOf(running)).toMatchObject({ available: false });
  fails = false;
  let isTold = false;
  const told = stream.next().finally(() => {
    isTold = true;
  });
  await until(() => {
    clock.advance(100);
    return isTold;
  });
  expect(JSON.parse((await told).data).early.value).toBe("in");
  expect(statusOf(running)).toMatchObject({ available: true });
  stream.close();
});

test("a stream that opens while members change starts with what they are then, not with what was asked for before", async () => {
  const held: (() => void)[] = [];
  let holds = false;
  const running = await start({
    options: { clock: createManualClock() },
    store: storeAsking(async (real) => {
      const answer = await real();
      if (holds) await new Promise<void>((resolve) => held.push(resolve));
      return answer;
    }),
  });
  await until(() => (statusOf(running)?.lastSynchronizedOn ?? 0) > 0);
  holds = true;
  const opening = running.open(`/eval/${keys.envId}/${running.pathFor("bob")}`);
  await until(() => held.length === 1);
  holds = false;
  const step = patch("v1", "v2", { add: [hashOf("bob")] });
  running.members.history.push(step);
  running.members.stream([step]);
  await until(async () => (await running.ask("bob")).value === "in");
  held[0]?.();
  const stream = await opening;
  expect(JSON.parse((await stream.next()).data).early.value).toBe("in");
  stream.close();
});

test("a request that waits for the store when the relay is closed is refused: its answer may be wrong", async () => {
  const held: (() => void)[] = [];
  const running = await start({
    store: storeAsking(async (real) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return real();
    }),
  });
  const answer = running.fetch("GET", `/sdk/evalx/${keys.envId}/contexts/${running.pathFor("bob")}`);
  await until(() => held.length === 1);
  const closed = running.relay.close();
  held[0]?.();
  expect(await answer).toMatchObject({ status: 503 });
  await closed;
});

test.each<[string, (relay: Running["relay"]) => unknown, status: number]>([
  ["its environment is removed", ({ environments }) => environments.remove("prod"), 401],
  ["its key is replaced", ({ environments }) => environments.rotateKey("prod", { mobileKey: "mob-2" }), 401],
  ["the relay is closed", (relay) => relay.close({ within: 0 }), 503],
])("a stream that waits for the store when %s does not open", async (_, act, status) => {
  const held: (() => void)[] = [];
  const running = await start({
    store: storeAsking(async (real) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return real();
    }),
  });
  const headers = { authorization: keys.mobileKey };
  const opening = running.open(`/meval/${running.pathFor("bob")}`, { headers });
  await until(() => held.length === 1);
  const done = act(running.relay);
  held[0]?.();
  const stream = await opening;
  expect(stream.status).toBe(status);
  stream.close();
  await done;
});

test("streams that ping hear of memberships as well", async () => {
  const running = await start();
  await until(() => (statusOf(running)?.lastSynchronizedOn ?? 0) > 0);
  const stream = await running.open(`/ping/${keys.envId}`);
  await stream.next();
  const step = patch("v1", "v2", { add: [hashOf("bob")] });
  running.members.stream([step]);
  expect((await stream.next()).event).toBe("ping");
  stream.close();
});

test("a store that is away: flags are served, the reason and the status say so, and it is noticed when it is back", {
  timeout: 300_000,
}, async () => {
  const kept = memoryBigSegmentStore(createStoreContext());
  let away = false;
  const guard = <Result>(run: () => Promise<Result>): Promise<Result> =>
    away ? Promise.reject(new Error("no disk")) : run();
  const store: BigSegmentStore = {
    ...kept,
    memberships: (hash, signal) => guard(() => kept.memberships(hash, signal)),
    synchronizedOn: (signal) => guard(() => kept.synchronizedOn(signal)),
  };
  const running = await start({ store });
  await until(() => (statusOf(running)?.lastSynchronizedOn ?? 0) > 0);
  away = true;
  expect(await running.ask("dave")).toMatchObject({
    value: "out",
    reason: { bigSegmentsStatus: "STORE_ERROR" },
  });
  expect(statusOf(running)).toMatchObject({ available: false, lastSynchronizedOn: 0 });
  expect(running.relay.status().status).toBe("degraded");
  const answered = await running.fetch("GET", `/sdk/evalx/${keys.envId}/contexts/${running.pathFor("dave")}`);
  expect(JSON.parse(answered.body).plain.value).toBe(true);
  away = false;
  await until(async () => (await running.ask("alice")).reason?.bigSegmentsStatus === "HEALTHY");
  expect(running.relay.status().status).toBe("healthy");
});

test("a store that never answers holds a request for a second once, then not at all, and not the end", async () => {
  let asked = 0;
  const hanging = () => new Promise<never>(() => {});
  const store: BigSegmentStore = {
    cursor: hanging,
    apply: hanging,
    synchronizedOn: hanging,
    setSynchronizedOn: hanging,
    memberships: () => {
      asked++;
      return hanging();
    },
    close: hanging,
  };
  const running = await start({ store });
  expect((await running.ask("alice")).reason?.bigSegmentsStatus).toBe("STORE_ERROR");
  for (let request = 0; request < 50; request++) await running.ask(`user-${request}`);
  expect(asked).toBeLessThan(10);
  await running.relay.close({ within: "50ms" });
});

for (const staleAsDegraded of [false, true]) {
  test(`memberships that may be out of date ${staleAsDegraded ? "degrade" : "leave"} the status as the host wishes`, async () => {
    const running = await start({ options: { bigSegments: { staleThreshold: 0, staleAsDegraded } } });
    await until(
      () => statusOf(running)?.potentiallyStale === true && (statusOf(running)?.lastSynchronizedOn ?? 0) > 0,
    );
    expect(running.relay.status().status).toBe(staleAsDegraded ? "degraded" : "healthy");
  });
}

test("a factory that throws leaves no store of flags open", async () => {
  let closed = 0;
  const { relay } = await startRelay({ environments: {}, data: {} });
  const store = () => ({
    read: async () => undefined,
    replace: async () => {},
    upsert: async () => [],
    close: async () => void closed++,
  });
  const bigSegments = () => {
    throw new Error("no database");
  };
  await expect(relay.environments.add("prod", { ...keys, store, bigSegments })).rejects.toThrow(
    "no database",
  );
  expect(closed).toBe(1);
  expect(relay.environments.names()).toEqual([]);
});

const rubbish: Record<string, () => unknown> = {
  "throws null": () => {
    throw null;
  },
  "gives nothing": () => undefined,
  "resolves with null": async () => null,
  "resolves with an empty object": async () => ({}),
  "resolves with text": async () => "x",
  "resolves with lists of something else": async () => ({ included: null, excluded: [1] }),
};
for (const [name, call] of Object.entries(rubbish)) {
  test(`a store that ${name}: flags are evaluated without it, streams open, and nothing ends`, async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("uncaughtException", note).on("unhandledRejection", note);
    onTestFinished(() => void process.off("uncaughtException", note).off("unhandledRejection", note));
    const methods = ["cursor", "apply", "synchronizedOn", "setSynchronizedOn", "memberships", "close"];
    // A host whose types do not keep what they say.
    const store = Object.fromEntries(methods.map((method) => [method, call])) as unknown as BigSegmentStore;
    const running = await start({ store });
    const stream = await running.open(`/eval/${keys.envId}/${running.pathFor("alice")}`);
    expect(stream.status).toBe(200);
    expect((await stream.next()).event).toBe("put");
    expect(await running.ask("alice")).toMatchObject({
      value: "out",
      reason: { bigSegmentsStatus: "STORE_ERROR" },
    });
    running.upstream.environment(keys.sdkKey).patch("flags", flag("plain", 2));
    expect((await stream.next()).event).toBe("patch");
    await running.relay.close({ within: 0 });
    expect(unhandled).toEqual([]);
  });
}

test("a burst of membership changes asks about each stream as often as can be heard, not once for each change", async () => {
  let asked = 0;
  const memory = memoryBigSegmentStore(createStoreContext());
  const store: BigSegmentStore = {
    ...memory,
    async memberships(hash, signal) {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return memory.memberships(hash, signal);
    },
  };
  const running = await start({ store });
  await until(() => (statusOf(running)?.lastSynchronizedOn ?? 0) > 0);
  const streams = await Promise.all(
    Array.from({ length: 40 }, (_, n) => running.open(`/eval/${keys.envId}/${running.pathFor(`u${n}`)}`)),
  );
  for (const stream of streams) expect((await stream.next()).event).toBe("put");
  asked = 0;
  const changes = 200;
  for (let n = 0; n < changes; n++) {
    running.members.history.push(
      patch(`v${n + 1}`, `v${n + 2}`, { add: [hashOf(n < changes - 1 ? `x${n}` : "u7")] }),
    );
  }
  for (const one of running.members.history.slice(1)) running.members.stream([one]);
  const told = await streams[7]?.next();
  expect(JSON.parse(told?.data ?? "{}").early).toMatchObject({ value: "in" });
  // 200 changes for 40 streams would be 8,000 questions.
  expect(asked).toBeLessThan((streams.length * changes) / 4);
});
