import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { createFixedSource, createRelay } from "@wye/relay";
import { createManualClock } from "@wye/relay/testing";
import { expect, onTestFinished, test } from "vitest";
import {
  type BigSegmentUpstream,
  startBigSegmentUpstream,
  type UpstreamPatch,
} from "../../../scripts/databases/big-segment-upstream.js";
import { type FaultProxy, startFaultProxy } from "../../../scripts/databases/fault-proxy.js";
import { redisBigSegments } from "../src/index.js";
import { connectTo, contextOf, type DirectClient, newPrefix, until } from "./fixtures.js";
import { startRedis } from "./redis-server.js";

const people = Array.from({ length: 12 }, (_, index) =>
  createHash("sha256").update(`person-${index}`).digest("base64"),
);
const segments = JSON.stringify({
  flags: {},
  segments: { beta: { version: 1, unbounded: true, generation: 1 } },
});

/** A relay of two: with an upstream, a way to the database and a clock of its own. */
interface Side {
  readonly upstream: BigSegmentUpstream;
  readonly proxy: FaultProxy;
  readonly clock: ReturnType<typeof createManualClock>;
  synchronizedOn(): number;
}

async function startSide(redisPort: number, prefix: string): Promise<Side> {
  const upstream = await startBigSegmentUpstream(3);
  const proxy = await startFaultProxy(redisPort);
  const clock = createManualClock();
  const relay = createRelay({
    environments: {
      production: {
        sdkKey: "sdk-key",
        source: createFixedSource(segments).source,
        bigSegments: redisBigSegments({ url: `redis://127.0.0.1:${proxy.port}`, prefix }),
      },
    },
    upstream: { stream: upstream.url, app: upstream.url },
    events: false,
    clock,
    logger: contextOf("any").logger,
  });
  onTestFinished(async () => {
    await relay.close({ within: 0 });
    await proxy.close();
    await upstream.close();
  });
  const synchronizedOn = () =>
    relay.status().environments.production?.bigSegmentStatus?.lastSynchronizedOn ?? 0;
  return { upstream, proxy, clock, synchronizedOn };
}

/** A step that lets some enter and others leave. */
function stepAfter(index: number, seed: number): UpstreamPatch {
  const some = (salt: number) => people.filter((_, person) => (person * salt + index * seed) % 5 < 2);
  return {
    environmentId: "any",
    segmentId: `beta.g${1 + (index % 2)}`,
    previousVersion: index === 0 ? "" : `v${index}`,
    version: `v${index + 1}`,
    changes: {
      included: { add: some(3), remove: some(7) },
      excluded: { add: some(11), remove: some(13) },
    },
  };
}

/** Who is in what after some steps. */
function modelOf(history: readonly UpstreamPatch[]): readonly string[] {
  const members = new Set<string>();
  for (const { segmentId, changes } of history) {
    for (const list of ["included", "excluded"] as const) {
      for (const hash of changes[list]?.add ?? []) members.add(`${list.slice(0, 7)} ${hash} ${segmentId}`);
      for (const hash of changes[list]?.remove ?? [])
        members.delete(`${list.slice(0, 7)} ${hash} ${segmentId}`);
    }
  }
  return [...members].sort();
}

/** Who is in what in the database. */
async function membersIn(direct: DirectClient, prefix: string): Promise<readonly string[]> {
  const lists = await Promise.all(
    ["include", "exclude"].flatMap((list) =>
      people.map(async (hash) => {
        const ids = await direct.sMembers(`${prefix}:big_segment_${list}:${hash}`);
        return [...ids].map((id) => `${list} ${hash} ${id}`);
      }),
    ),
  );
  return lists.flat().sort();
}

for (const seed of [1, 2, 3]) {
  test(`two relays that follow the same segments into one Redis over a bad network end with the members of upstream (seed ${seed})`, async () => {
    const redis = await startRedis();
    const direct = await connectTo(redis.port);
    onTestFinished(async () => {
      direct.destroy();
      await redis.stop();
    });
    const prefix = newPrefix();
    const sides = [await startSide(redis.port, prefix), await startSide(redis.port, prefix)];
    const history = Array.from({ length: 60 }, (_, index) => stepAfter(index, seed));
    let furthest = 0;
    /** Whoever is late takes nothing back: the cursor only ever goes on. */
    const cursor = async () => {
      const reached = Number((await direct.get(`${prefix}:big_segments_cursor`))?.slice(1) ?? 0);
      expect(reached).toBeGreaterThanOrEqual(furthest);
      furthest = reached;
      return reached;
    };
    /** Both clocks go on, but no faster than the database answers. */
    const caughtUp = (ask: () => Promise<boolean>) =>
      until(ask, Boolean, () => {
        for (const { clock } of sides) clock.advance(100);
        return pause(2);
      });
    for (const [index, step] of history.entries()) {
      for (const { upstream } of sides) upstream.history.push(step);
      for (const [number, { upstream, proxy, clock }] of sides.entries()) {
        const fate = (index * (seed + 2) + number * 5) % 7;
        if (fate === 0) upstream.drop();
        else if (fate !== 1) upstream.stream([step]);
        if (fate === 2) proxy.cut();
        if (fate === 3) proxy.cutAfter(index * 20);
        proxy.passage = fate === 4 ? "late" : "open";
        clock.advance(fate * 500);
      }
      await cursor();
    }
    for (const { proxy } of sides) {
      proxy.cut();
      proxy.passage = "open";
    }
    await caughtUp(async () => (await cursor()) === history.length);
    const since = sides.map(({ clock }) => clock.now());
    await caughtUp(async () =>
      sides.every(({ synchronizedOn }, index) => synchronizedOn() > (since[index] ?? 0)),
    );
    expect(await cursor()).toBe(history.length);
    expect(await membersIn(direct, prefix)).toEqual(modelOf(history));
  });
}
