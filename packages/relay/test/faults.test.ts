import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { built } from "../../../scripts/built.js";
import { createFakeUpstream } from "../src/testing/fake-upstream.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

const server = { authorization: keys.sdkKey };
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
const state = ({ relay }: Running) => relay.status().environments.prod?.connectionStatus;
const poll = async (relay: Running) =>
  JSON.parse((await relay.fetch("GET", "/sdk/flags", { headers: server })).body);

async function until(
  condition: () => boolean | Promise<boolean>,
  clock?: { advance(ms: number): void },
): Promise<void> {
  while (!(await condition())) {
    clock?.advance(100);
    await turn();
  }
}

describe("upstream", () => {
  test("killed and started again: flags are served all the time, then the new ones", async () => {
    const clock = createManualClock();
    const relay = await startRelay({ options: { clock } });
    const stream = await relay.open("/all", { headers: server });
    await stream.next();
    const port = Number(new URL(relay.upstream.url).port);
    await relay.upstream.close();
    await until(() => state(relay)?.state === "INTERRUPTED");
    expect(state(relay)).toMatchObject({ lastError: { kind: "NETWORK_ERROR" } });
    expect(await poll(relay)).toHaveProperty("a");
    clock.advance(60_000);
    expect(relay.relay.status()).toMatchObject({ status: "degraded" });
    expect((await relay.fetch("GET", "/ready")).status).toBe(200);
    const again = await createFakeUpstream(
      { environments: { [keys.sdkKey]: { flags: { b: flag("b", 1) } } } },
      port,
    );
    await until(() => state(relay)?.state === "VALID", clock);
    expect(JSON.parse((await stream.next()).data)).toMatchObject({ data: { flags: { b: { version: 1 } } } });
    expect(relay.relay.status().status).toBe("healthy");
    await again.close();
  });

  test("stalled in the middle of an event: the old flags stay, the connection is made anew", async () => {
    const clock = createManualClock();
    const stalled = await startRelay({ options: { clock } });
    stalled.upstream.environment(keys.sdkKey).write('event: put\ndata: {"path":"/","data":{"fla');
    for (let i = 0; i < 5; i++) await turn();
    clock.advance(300_000);
    await until(() => state(stalled)?.state === "INTERRUPTED");
    expect(await poll(stalled)).toHaveProperty("a");
    await until(() => state(stalled)?.state === "VALID", clock);
  });

  test("half a JSON: reported, the old flags stay, open streams stay open", async () => {
    const clock = createManualClock();
    const relay = await startRelay({ options: { clock } });
    const stream = await relay.open("/all", { headers: server });
    await stream.next();
    relay.upstream.environment(keys.sdkKey).write('event: put\ndata: {"path":"/","data":{"flags":{}\n\n');
    await until(() => state(relay)?.lastError?.kind === "INVALID_DATA");
    expect(await poll(relay)).toHaveProperty("a");
    await until(() => state(relay)?.state === "VALID", clock);
    // The set that the new connection starts with changes nothing, and is not sent again.
    relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
    expect((await stream.next()).event).toBe("patch");
  });

  test("refuses the key while running: the flags stay, the status says OFF", async () => {
    const clock = createManualClock();
    const relay = await startRelay({ options: { clock } });
    relay.upstream.environment(keys.sdkKey).answer(401);
    relay.upstream.environment(keys.sdkKey).drop();
    await until(() => state(relay)?.state === "OFF", clock);
    expect(await poll(relay)).toHaveProperty("a");
    clock.advance(60_000);
    expect(relay.relay.status().environments.prod?.status).toBe("disconnected");
  });

  test("sends a put of 50 MB, in small pieces: it arrives, and requests are answered meanwhile", async () => {
    const relay = await startRelay();
    const flags: Record<string, object> = {};
    for (let i = 0; i < 500; i++) flags[`f${i}`] = flag(`f${i}`, 1, { salt: "x".repeat(100_000) });
    const text = `event: put\ndata: ${JSON.stringify({ path: "/", data: { flags, segments: {} } })}\n\n`;
    expect(text.length).toBeGreaterThan(50_000_000);
    const sent = relay.upstream.environment(keys.sdkKey).trickle(text, 65_536);
    expect(await relay.fetch("GET", "/sdk/flags/a", { headers: server })).toMatchObject({ status: 200 });
    await sent;
    await until(
      async () => (await relay.fetch("GET", "/sdk/flags/f499", { headers: server })).status === 200,
    );
    expect((await relay.fetch("GET", "/sdk/flags", { headers: server })).body.length).toBeGreaterThan(
      50_000_000,
    );
  });

  test("sends a malformed flag: it alone is malformed", async () => {
    const errors: string[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (message: string) => errors.push(message) };
    const relay = await startRelay({
      data: {
        [keys.sdkKey]: { flags: { bad: { key: "bad", version: 1, on: "yes" }, good: flag("good", 1) } },
      },
      options: { logger },
    });
    const context = Buffer.from('{"key":"u"}').toString("base64url");
    const { body } = await relay.fetch("GET", `/sdk/evalx/users/${context}`, { headers: server });
    expect(JSON.parse(body)).toMatchObject({ bad: { value: null, variation: null }, good: { value: true } });
    expect(errors.join()).toContain('"bad" is malformed');
  });
});

test("the wall clock may jump in both directions", async () => {
  const clock = createManualClock();
  const relay = await startRelay({ options: { clock } });
  relay.upstream.environment(keys.sdkKey).answer(503);
  relay.upstream.environment(keys.sdkKey).drop();
  await until(() => state(relay)?.state === "INTERRUPTED");
  for (const jump of [86_400_000, -172_800_000]) {
    clock.jump(jump);
    expect(relay.relay.status().environments.prod?.status).toBe("connected");
  }
  clock.advance(60_000);
  expect(relay.relay.status().environments.prod?.status).toBe("disconnected");
});

test("clients that come and go leave nothing behind", { timeout: 300_000 }, async () => {
  const open: number[] = [];
  const relay = await startRelay({
    options: {
      metrics: { count: () => {}, gauge: (name, value) => name === "open_streams" && open.push(value) },
    },
  });
  const round = async (count: number) => {
    const streams = await Promise.all(
      Array.from({ length: count }, () => relay.open("/all", { headers: server })),
    );
    for (const stream of streams) stream.close();
    await Promise.all(streams.map(({ ended }) => ended));
    await until(() => open.at(-1) === 0);
  };
  await round(50);
  const handles = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  await round(500);
  await round(500);
  const after = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  expect(after).toBeLessThanOrEqual(handles + 5);
  relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
  await until(async () => (await poll(relay)).a.version === 2);
});

/** Runs a program against the built package in a process of its own. */
async function runProgram(program: string, ...flags: string[]): Promise<{ code: unknown; output: string }> {
  const dist = JSON.stringify(built(new URL("..", import.meta.url), "index.js"));
  const source = `import { createFixedSource, createRelay } from ${dist};\n${program}`;
  const child = spawn(process.execPath, [...flags, "--input-type=module", "-e", source]);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  return { code: await new Promise((resolve) => child.on("close", resolve)), output };
}

test("heap and handles are back to the start after 1,000 connects and disconnects, time and again", async () => {
  const { code, output } = await runProgram(
    `
    import { createServer } from "node:http";
    import { connect } from "node:net";
    const { source } = createFixedSource('{"flags":{"a":{"key":"a","version":1,"on":false}}}');
    const relay = createRelay({ environments: { prod: { sdkKey: "sdk-1", envId: "env-1", source } } });
    await relay.ready();
    const server = createServer(relay.handler);
    await new Promise((resolve) => server.listen({ port: 0, host: "127.0.0.1", backlog: 2000 }, resolve));
    const paths = ["/all", "/ping/env-1", "/eval/env-1/eyJrZXkiOiJhIn0"];
    const visit = (index) => new Promise((resolve) => {
      const socket = connect(server.address().port, "127.0.0.1");
      socket.once("data", () => socket.destroy());
      socket.on("close", resolve);
      socket.write("GET " + paths[index % 3] + " HTTP/1.1\\r\\nhost: x\\r\\nauthorization: sdk-1\\r\\n\\r\\n");
    });
    const heaps = [];
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 1000 }, (_, index) => visit(index)));
      do await new Promise((resolve) => setTimeout(resolve, 20));
      while (await new Promise((resolve) => server.getConnections((_, count) => resolve(count))) > 0);
      gc();
      heaps.push(process.memoryUsage().heapUsed);
    }
    const handles = process.getActiveResourcesInfo().filter((name) => name.startsWith("TCPSocket")).length;
    process.stdout.write(JSON.stringify({ growth: heaps[2] - heaps[1], handles }));
    await relay.close();
    server.close();
    `,
    "--expose-gc",
  );
  expect(code, output).toBe(0);
  const { growth, handles } = JSON.parse(output);
  expect(growth).toBeLessThan(400_000);
  expect(handles).toBe(0);
});

test("after close nothing keeps the process alive, whatever state the relay was in", async () => {
  const upstream = await createFakeUpstream({ environments: { good: {} } });
  upstream.environment("silent").answer("silent");
  upstream.environment("busy").answer(503);
  const environments = Object.fromEntries(
    ["good", "silent", "busy", "bad"].map((sdkKey) => [sdkKey, { sdkKey }]),
  );
  const { code, output } = await runProgram(`
    const relay = createRelay({
      upstream: ${JSON.stringify(upstream.roles)},
      initTimeout: 50,
      environments: ${JSON.stringify(environments)},
    });
    const { status } = await relay.ready();
    await relay.close();
    await relay.close();
    process.stdout.write(status);
  `);
  expect([code, output]).toEqual([0, "degraded"]);
  await upstream.close();
});
