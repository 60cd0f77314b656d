import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { figures } from "../../../scripts/bench-harness.js";
import { createRelay } from "../src/index.js";
import { type Served, type ServerProcess, serveIfChild, startServer } from "./child.js";

const sdkKey = "sdk-bench";
// 10,000 need a limit of more than 10,000 open files (`ulimit -n`).
const counts = (process.env.WYE_BENCH_STREAMS ?? "1000,5000").split(",").map(Number);
const putBytes = 166_000;
const patch = JSON.stringify({ key: "a", version: 1, salt: "x".repeat(2000) });

async function port(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 4096, resolve));
  return (server.address() as AddressInfo).port;
}

/** A relay whose source sends a patch of 2 KB when told. */
async function relayServer(): Promise<Served> {
  let version = 1;
  let act = () => {};
  const relay = createRelay({
    streams: { heartbeat: 0 },
    environments: {
      bench: {
        sdkKey,
        source: ({ sink }) => {
          const item = (json: string) => ({ key: "a", version: ++version, deleted: false, json });
          const data = {
            flags: new Map([["a", item(`{"salt":"${"x".repeat(putBytes)}"}`)]]),
            segments: new Map(),
          };
          void sink.apply({ kind: "put", data });
          act = () => void sink.apply({ kind: "item", itemKind: "flags", item: item(patch) });
          return { close() {} };
        },
      },
    },
  });
  await relay.ready();
  return { port: await port(createHttpServer(relay.handler)), act: () => act() };
}

/** The lower bound: the same bytes on bare sockets. */
async function netServer(): Promise<Served> {
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

await serveIfChild({ relay: relayServer, net: netServer });

interface Clients {
  /** Resolves when every client has received so many bytes more. */
  received(bytes: number): Promise<void>;
  close(): void;
}

/** Opens streams and waits until each has its put. */
async function openStreams(target: number, count: number): Promise<Clients> {
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

async function run(server: ServerProcess, count: number) {
  const memoryBefore = await server.memory();
  const cpuBefore = await server.cpu();
  const clients = await openStreams(server.port, count);
  const connectCpu = ((await server.cpu()) - cpuBefore) / count;
  // Lets what is still being written settle before memory is looked at.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const memory = ((await server.memory()) - memoryBefore) / count / 1024;
  const lasts: number[] = [];
  const cpus: number[] = [];
  for (let i = 0; i < 6; i++) {
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
  return { connectCpu, memory, last: Math.min(...lasts.slice(1)), cpu: Math.min(...cpus.slice(1)) };
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
