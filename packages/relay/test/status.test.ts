import { describe, expect, test } from "vitest";
import { createManualClock } from "../src/testing/manual-clock.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

const start = 1_700_000_000_000;
const turn = () => new Promise((resolve) => setImmediate(resolve));

interface Situation extends Running {
  /** Lets time pass. */
  pass(ms: number): void;
  /** Lets time pass second by second until upstream was asked once more. */
  askedAgain(): Promise<void>;
  document(): Promise<{ status: string; environments: Record<string, Record<string, unknown>> }>;
}

/** A relay with one environment, which counts as disconnected after a while, on a clock that stands still. */
async function begin(answer: "data" | "silent" | number, disconnectedStatusTime = "2s"): Promise<Situation> {
  const clock = createManualClock(start);
  const relay = await startRelay({
    data: {},
    environments: {},
    options: { clock, random: () => 0, disconnectedStatusTime },
  });
  const upstream = relay.upstream.environment(keys.sdkKey);
  upstream.setData({ flags: { a: flag("a", 1) } });
  upstream.answer(answer);
  const added = relay.relay.environments.add("prod", keys);
  await (answer === "silent" ? upstream.opened() : added);
  return {
    ...relay,
    pass: (ms) => clock.advance(ms),
    async askedAgain() {
      const before = relay.upstream.streamRequests.length;
      while (relay.upstream.streamRequests.length === before) {
        clock.advance(1000);
        for (let i = 0; i < 20; i++) await turn();
      }
    },
    document: async () => JSON.parse((await relay.fetch("GET", "/status")).body),
  };
}

/** Waits until the connection has this state and this last error. */
async function reaches({ relay }: Running, state: string, kind?: string): Promise<void> {
  const connection = () => relay.status().environments.prod?.connectionStatus;
  while (connection()?.state !== state || connection()?.lastError?.kind !== kind) await turn();
}

const upstreamOf = ({ upstream }: Running) => upstream.environment(keys.sdkKey);

describe("the status of an environment", () => {
  test("starting: disconnected, INITIALIZING since it was added, without an error", async () => {
    const situation = await begin("silent");
    expect(await situation.document()).toMatchObject({
      status: "degraded",
      environments: {
        prod: {
          status: "disconnected",
          connectionStatus: { state: "INITIALIZING", stateSince: start },
          dataStoreStatus: { state: "VALID" },
        },
      },
    });
    expect((await situation.document()).environments.prod?.connectionStatus).not.toHaveProperty("lastError");
  });

  test("initTimeout passed without data: the same, since the same time", async () => {
    const situation = await begin("silent");
    situation.pass(10_000);
    expect((await situation.document()).environments.prod).toMatchObject({
      status: "disconnected",
      connectionStatus: { state: "INITIALIZING", stateSince: start },
    });
  });

  test("an error before there was data: still INITIALIZING", async () => {
    const situation = await begin("silent");
    situation.pass(500);
    upstreamOf(situation).drop();
    await reaches(situation, "INITIALIZING", "NETWORK_ERROR");
    expect((await situation.document()).environments.prod).toMatchObject({
      status: "disconnected",
      connectionStatus: { stateSince: start, lastError: { kind: "NETWORK_ERROR", time: start + 500 } },
    });
  });

  test("a key that is refused at the start: disconnected and OFF at once", async () => {
    const situation = await begin(401);
    expect(await situation.document()).toMatchObject({
      status: "degraded",
      environments: {
        prod: {
          status: "disconnected",
          connectionStatus: { state: "OFF", stateSince: start, lastError: { kind: "ERROR_RESPONSE" } },
        },
      },
    });
  });

  test("working: connected and VALID, keys masked, the ID as it is", async () => {
    const situation = await begin("data");
    expect(await situation.document()).toEqual({
      environments: {
        prod: {
          sdkKey: "sdk-********-****-****-****-*******22222",
          envId: keys.envId,
          mobileKey: "mob-********-****-****-****-*******44444",
          status: "connected",
          connectionStatus: { state: "VALID", stateSince: start },
          dataStoreStatus: { state: "VALID", stateSince: start },
        },
      },
      status: "healthy",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      clientVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  test("the connection lost, for less and then for more than disconnectedStatusTime, and back", async () => {
    const situation = await begin("data");
    situation.pass(60_000);
    upstreamOf(situation).answer(500);
    upstreamOf(situation).drop();
    await reaches(situation, "INTERRUPTED", "NETWORK_ERROR");
    expect(await situation.document()).toMatchObject({
      status: "healthy",
      environments: {
        prod: {
          status: "connected",
          connectionStatus: {
            state: "INTERRUPTED",
            stateSince: start + 60_000,
            lastError: { kind: "NETWORK_ERROR", time: start + 60_000 },
          },
        },
      },
    });

    await situation.askedAgain();
    await reaches(situation, "INTERRUPTED", "ERROR_RESPONSE");
    situation.pass(60_000);
    const { status, environments } = await situation.document();
    expect(status).toBe("degraded");
    expect(environments.prod).toMatchObject({
      status: "disconnected",
      connectionStatus: { state: "INTERRUPTED", stateSince: start + 60_000 },
    });

    upstreamOf(situation).answer("data");
    await situation.askedAgain();
    await reaches(situation, "VALID", "ERROR_RESPONSE");
    expect(await situation.document()).toMatchObject({
      status: "healthy",
      environments: {
        prod: {
          status: "connected",
          connectionStatus: { state: "VALID", lastError: { kind: "ERROR_RESPONSE" } },
          dataStoreStatus: { state: "VALID", stateSince: start },
        },
      },
    });
  });

  test("a connection that is accepted but silent does not end an interruption, an event does", async () => {
    const situation = await begin("data");
    upstreamOf(situation).answer("silent");
    upstreamOf(situation).drop();
    await reaches(situation, "INTERRUPTED", "NETWORK_ERROR");
    await situation.askedAgain();
    expect(situation.relay.status().environments.prod?.connectionStatus.state).toBe("INTERRUPTED");
    while (upstreamOf(situation).connections === 0) await turn();
    upstreamOf(situation).patch("flags", flag("a", 2));
    await reaches(situation, "VALID", "NETWORK_ERROR");
  });

  test("malformed data: INTERRUPTED with INVALID_DATA", async () => {
    const situation = await begin("data");
    upstreamOf(situation).send("patch", "nonsense");
    await reaches(situation, "INTERRUPTED", "INVALID_DATA");
    expect((await situation.document()).environments.prod).toMatchObject({ status: "connected" });
  });

  test("a key that is refused while running: OFF, disconnected two minutes after the loss, flags still served", async () => {
    const situation = await begin("data", "2m");
    const since = () => Number(situation.relay.status().environments.prod?.connectionStatus.stateSince);
    upstreamOf(situation).answer(401);
    upstreamOf(situation).drop();
    await reaches(situation, "INTERRUPTED", "NETWORK_ERROR");
    const lost = since();
    await situation.askedAgain();
    await reaches(situation, "OFF", "ERROR_RESPONSE");
    expect((await situation.document()).environments.prod).toMatchObject({ status: "connected" });
    situation.pass(lost + 2 * 60_000 - 1 - since());
    expect((await situation.document()).environments.prod).toMatchObject({ status: "connected" });
    situation.pass(1);
    expect(await situation.document()).toMatchObject({
      status: "degraded",
      environments: { prod: { status: "disconnected", connectionStatus: { state: "OFF" } } },
    });
    const headers = { authorization: keys.sdkKey };
    expect(await situation.fetch("GET", "/sdk/flags", { headers })).toMatchObject({ status: 200 });
    const stream = await situation.open("/all", { headers });
    expect((await stream.next()).event).toBe("put");
  });
});

describe("the status of the relay", () => {
  test("is healthy without environments", async () => {
    const relay = await startRelay({ environments: {} });
    const { body } = await relay.fetch("GET", "/status");
    expect(JSON.parse(body)).toMatchObject({ environments: {}, status: "healthy" });
  });

  test("is degraded when one of several is disconnected; the document is 200 and sorted all the same", async () => {
    const relay = await startRelay({
      environments: { z: { sdkKey: "sdk-refused" }, prod: { ...keys, filters: ["web"] } },
    });
    const answer = await relay.fetch("GET", "/status?filter=web");
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
    const { status, environments } = JSON.parse(answer.body);
    expect(status).toBe("degraded");
    expect(Object.keys(environments)).toEqual(["prod", "prod/web", "z"]);
  });
});
