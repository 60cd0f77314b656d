import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { parseItem } from "@wye/flag-evaluator";
import { figures } from "../../../scripts/bench-harness.js";
import { createRelay } from "../src/index.js";
import { type Served, type ServerProcess, serveIfChild, startServer } from "./child.js";

const sdkKey = "sdk-bench";
// 10,000 need a limit of more than 10,000 open files (`ulimit -n`).
const counts = (process.env.WYE_BENCH_STREAMS ?? "1000,5000").split(",").map(Number);
const putBytes = 166_000;
/** What a thousand flags of the larger kind make. */
const largePutBytes = 700_000;
/** Enough for the code to be compiled, and for the middle of them to say something. */
const rounds = 100;
const stormClients = 1000;
const patch = JSON.stringify({ key: "a", version: 1, salt: "x".repeat(2000) });

async function port(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 4096, resolve));
  return (server.address() as AddressInfo).port;
}

/** A relay whose source sends a patch of 2 KB when told. */
async function relayServer(putBytes: number): Promise<Served> {
  let version = 1;
  let act = () => {};
  const relay = createRelay({
    streams: { heartbeat: 0 },
    environments: {
      bench: {
        sdkKey,
        source: ({ sink }) => {
          const next = (salt: string) => [
            parseItem("flags", "a", JSON.stringify({ version: ++version, salt })),
          ];
          void sink.apply({ extent: "full", items: next("x".repeat(putBytes)) });
          act = () => void sink.apply({ extent: "partial", items: next("x".repeat(2000)) });
          return { close() {} };
        },
      },
    },
  });
  await relay.ready();
  return { port: await port(createHttpServer(relay.handler)), act: () => act() };
}

/** The lower bound: the same bytes on bare sockets. */
async function netServer(putBytes: number): Promise<Served> {
  const head = Buffer.from("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
  const first = Buffer.concat([head, Buffer.alloc(putBytes, "x"), Buffer.from("\n\n")]);
  const event = Buffer.from(`event: patch\ndata: {"path":"/flags/a","data":${patch}}\n\n`);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => socket.write(first));
  });
  return {
    port: await port(server),
    act: () => {
      for (const socket of sockets) socket.write(event);
    },
  };
}

await serveIfChild({
  relay: () => relayServer(putBytes),
  net: () => netServer(putBytes),
  "relay, large put": () => relayServer(largePutBytes),
  "net, large put": () => netServer(largePutBytes),
});

interface Clients {
  /** Resolves when every client has received so many bytes more. */
  received(bytes: number): Promise<void>;
  close(): void;
}

/** Opens streams and waits until each has its put. */
async function openStreams(target: number, count: number, putBytes: number): Promise<Clients> {
  const sockets: Socket[] = [];
  let bytes = putBytes;
  let missing = 0;
  let done = () => {};
  const seen = new Array<number>(count).fill(0);
  const wait = (more: number) =>
    new Promise<void>((resolve) => {
      bytes = more;
      missing = count;
      seen.fill(0);
      done = resolve;
    });
  const first = wait(putBytes);
  for (let i = 0; i < count; i++) {
    const socket = connect(target, "127.0.0.1");
    socket.on("data", (chunk) => {
      const before = seen[i] ?? 0;
      seen[i] = before + chunk.length;
      if (before < bytes && before + chunk.length >= bytes && --missing === 0) done();
    });
    socket.write(`GET /all HTTP/1.1\r\nhost: x\r\nauthorization: ${sdkKey}\r\n\r\n`);
    sockets.push(socket);
    if (i % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
  }
  await first;
  return {
    received: wait,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

async function run(server: ServerProcess, count: number) {
  const memoryBefore = await server.memory();
  const cpuBefore = await server.cpu();
  const clients = await openStreams(server.port, count, putBytes);
  const connectCpu = ((await server.cpu()) - cpuBefore) / count;
  // Lets what is still being written settle before memory is looked at.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const memory = ((await server.memory()) - memoryBefore) / count / 1024;
  const lasts: number[] = [];
  const cpus: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const before = await server.cpu();
    const all = clients.received(2000);
    const start = performance.now();
    await server.act();
    await all;
    lasts.push(performance.now() - start);
    cpus.push(((await server.cpu()) - before) / count);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  clients.close();
  return { connectCpu, memory, last: Math.min(...lasts), cpu: median(cpus) };
}

/** A thousand clients that connect at once, as after a restart. */
async function storm(server: ServerProcess, putBytes: number) {
  const cpuBefore = await server.cpu();
  const memoryBefore = await server.memory();
  const start = performance.now();
  const clients = await openStreams(server.port, stormClients, putBytes);
  const last = performance.now() - start;
  const cpu = ((await server.cpu()) - cpuBefore) / stormClients;
  const memory = ((await server.memory()) - memoryBefore) / 2 ** 20;
  clients.close();
  return { last, cpu, memory };
}

for (const count of counts) {
  const results: Record<string, Awaited<ReturnType<typeof run>>> = {};
  for (const name of ["net", "relay"]) {
    const server = await startServer(name);
    results[name] = await run(server, count);
    await server.stop();
  }
  const pick = (value: keyof Awaited<ReturnType<typeof run>>) => ({
    relay: results.relay?.[value] ?? Number.NaN,
    "bare net": results.net?.[value] ?? Number.NaN,
  });
  const baseline = "bare net";
  figures(`${count} streams: 2 KB patch to the last client`, pick("last"), { unit: "ms", baseline });
  figures(`${count} streams: CPU per stream and patch`, pick("cpu"), { unit: "µs CPU", baseline });
  figures(`${count} streams: CPU per connect with a put of 166 KB`, pick("connectCpu"), {
    unit: "µs CPU",
    baseline,
  });
  figures(`${count} streams: memory per idle stream`, pick("memory"), { unit: "KiB", baseline });
}

for (const [size, suffix, bytes] of [
  ["166 KB", "", putBytes],
  ["700 KB", ", large put", largePutBytes],
] as const) {
  const best: Record<string, { last: number; cpu: number; memory: number }> = {};
  for (const name of ["net", "relay", "net", "relay"]) {
    const server = await startServer(name + suffix);
    // The first storm makes the code warm.
    for (let i = 0; i < 3; i++) {
      const { last, cpu, memory } = await storm(server, bytes);
      const known = best[name] ?? { last, cpu, memory };
      best[name] = {
        last: Math.min(last, known.last),
        cpu: Math.min(cpu, known.cpu),
        memory: Math.max(memory, known.memory),
      };
    }
    await server.stop();
  }
  const pick = (value: "last" | "cpu" | "memory") => ({
    relay: best.relay?.[value] ?? Number.NaN,
    "bare net": best.net?.[value] ?? Number.NaN,
  });
  const baseline = "bare net";
  const title = `1,000 clients connect at once, put of ${size}`;
  figures(`${title}: the last has it`, pick("last"), { unit: "ms", baseline });
  figures(`${title}: CPU for each`, pick("cpu"), { unit: "µs CPU", baseline });
  figures(`${title}: memory behind them`, pick("memory"), { unit: "MiB" });
}
