import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import JSONAPISerializer from "json-api-serializer";
import { figures } from "../../../scripts/bench-harness.js";
import { catalogueFromVehicles, createVehicleRouter } from "../src/server/index.js";
import { fleet, openDataSize } from "./fleet.js";
import { mixedTargets, searchTargets } from "./random-targets.js";

const key = "bench";
const target = "/v2/vehicles";
const mediaType = "application/vnd.api+json";

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** What one server of the comparison is: made in a process of its own, so that its CPU time is its own. */
const servers = {
  wye: () => router({}),
  "wye, nothing kept": () => router({ cacheBytes: 0 }),
  "node:http, same bytes": () => bare("identity"),
  "node:http, same bytes, gzip": () => bare("gzip"),
  "node:http, 304": () => (_request, response) => {
    response.writeHead(304, {
      ETag: '"a"',
      "Cache-Control": "private, no-cache",
      Vary: "Accept, Accept-Encoding",
    });
    response.end();
  },
  "node:http, whole bodies ready": () => ready(false),
  "node:http, joining pieces": () => ready(true),
  "Express, json-api-serializer per request": expressServer,
  "Fastify, json-api-serializer per request": fastifyServer,
} satisfies Record<string, () => Handler | Promise<Handler>>;

type ServerName = keyof typeof servers;

function router(options: { cacheBytes?: number }): Handler {
  const catalogue = catalogueFromVehicles(fleet(openDataSize));
  const groups = ["ReadVehicles", "ReadVehiclesFull"] as const;
  return createVehicleRouter({ catalogue, keys: [{ key, groups }], ...options }).node;
}

/** Writes the body that the router answers, with the headers that it sends, and does nothing else. */
async function bare(coding: string): Promise<Handler> {
  const catalogue = catalogueFromVehicles(fleet(openDataSize));
  const { respond } = createVehicleRouter({
    catalogue,
    keys: () => ({ groups: ["ReadVehicles", "ReadVehiclesFull"] }),
  });
  const headers = new Headers({ "api-key": key, "accept-encoding": coding });
  const { status, headers: answered, body } = await respond({ method: "GET", url: target, headers });
  return (_request, response) => {
    response.writeHead(status, { ...answered });
    response.end(body);
  };
}

/**
 * Knows the answer to every target beforehand: as a whole, or as the resources that it is joined from. Sends the headers
 * that the router sends, and does nothing else.
 */
async function ready(joining: boolean): Promise<Handler> {
  const catalogue = catalogueFromVehicles(fleet(openDataSize));
  const keys = () => ({ groups: ["ReadVehicles" as const, "ReadVehiclesFull" as const] });
  const { respond } = createVehicleRouter({ catalogue, keys });
  const answers = new Map<string, { headers: Record<string, string>; pieces: readonly Uint8Array[] }>();
  for (const url of [...mixedTargets, ...searchTargets]) {
    const { headers, body } = await respond({ method: "GET", url, headers: new Headers({ "api-key": key }) });
    answers.set(url, { headers: { ...headers }, pieces: joining ? piecesOf(body) : [body] });
  }
  return (request, response) => {
    const { headers, pieces } = answers.get(request.url ?? "")!;
    const body = joining ? Buffer.concat(pieces) : pieces[0];
    response.writeHead(200, headers);
    response.end(body);
  };
}

/** Cuts a document at the borders of its vehicles. */
function piecesOf(body: Uint8Array): readonly Uint8Array[] {
  const text = Buffer.from(body).toString("latin1");
  const cuts = [
    0,
    ...Array.from(text.matchAll(/(?<=[[,])\{"type":"(?:car|motorbike)"/g), ({ index }) => index),
  ];
  return cuts.map((from, at) => body.slice(from, cuts[at + 1]));
}

/** What one writes with the library alone: select, serialise, send. */
function serializing(): (search: URLSearchParams) => string {
  const serializer = new JSONAPISerializer({ jsonapiObject: false });
  for (const type of ["car", "motorbike"]) {
    serializer.register(type, {
      blacklist: ["type"],
      relationships: { manufacturer: { type: "vehicle_brand" } },
    });
  }
  serializer.register("vehicle_brand", {});
  const vehicles = fleet(openDataSize);
  return (search) => {
    const ids = search.get("filter[id]")?.split(",");
    const brands = search.get("filter[manufacturer.id]")?.split(",");
    const found = vehicles.filter(
      ({ id, manufacturer }) => ids?.includes(id) !== false && brands?.includes(manufacturer.id) !== false,
    );
    const size = Number(search.get("page[size]") ?? 100);
    const from = (Number(search.get("page[number]") ?? 1) - 1) * size;
    const fields = search.get("fields[car]")?.split(",");
    const page = found.slice(from, from + size).map((vehicle) => {
      if (fields === undefined) return vehicle;
      const kept = Object.entries(vehicle).filter(
        ([name]) => name === "id" || name === "type" || fields.includes(name),
      );
      return Object.fromEntries(kept);
    });
    const document = serializer.serialize({ type: "type" }, page);
    document.meta = { overall_count: found.length };
    return JSON.stringify(document);
  };
}

function expressServer(): Handler {
  const answer = serializing();
  const app = express();
  app.get(target, (request, response) => {
    if (request.get("api-key") !== key) return void response.status(403).end();
    const { searchParams } = new URL(request.url, "http://x");
    return void response.type(mediaType).send(answer(searchParams));
  });
  return app;
}

async function fastifyServer(): Promise<Handler> {
  const answer = serializing();
  const app = fastify();
  app.get(target, (request, reply) => {
    if (request.headers["api-key"] !== key) return reply.code(403).send();
    const { searchParams } = new URL(request.url, "http://x");
    return reply.header("Content-Type", mediaType).send(answer(searchParams));
  });
  await app.ready();
  return (request, response) => app.routing(request, response);
}

/** The child: serves, and tells its CPU time when it is asked. */
async function serve(name: ServerName): Promise<void> {
  const server = http.createServer(await servers[name]());
  server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1000 });
  });
  process.on("disconnect", () => process.exit());
}

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
}

async function start(name: ServerName): Promise<Running> {
  const child = fork(process.argv[1]!, ["serve", name]);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return { child, port };
}

async function cpuMsOf({ child }: Running): Promise<number> {
  child.send("cpu");
  const [{ cpuMs }] = (await once(child, "message")) as [{ cpuMs: number }];
  return cpuMs;
}

/** Sends requests over several connections, each waiting for its answer; the targets come one after the other. */
async function load(
  port: number,
  headers: string,
  requests: number,
  targets: readonly string[],
): Promise<void> {
  let left = requests;
  const connection = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(port, "127.0.0.1");
      let missing = 0;
      const next = (): void => {
        if (left-- <= 0) return void socket.end(() => resolve());
        missing = -1;
        const asked = targets[left % targets.length];
        socket.write(`GET ${asked} HTTP/1.1\r\nHost: x\r\nAPI-Key: ${key}\r\n${headers}\r\n`);
      };
      socket.on("connect", next);
      socket.on("error", reject);
      socket.on("data", (chunk) => {
        if (missing < 0) {
          const end = chunk.indexOf("\r\n\r\n");
          const length = /content-length: (\d+)/i.exec(chunk.toString("latin1", 0, end));
          missing = end + 4 + Number(length?.[1] ?? 0);
        }
        missing -= chunk.length;
        if (missing === 0) next();
      });
    });
  // A client that sleeps has to be woken at the expense of the server that writes to it, which costs most where one server is
  // slower than the client and the other is not.
  let isAwake = true;
  const stayAwake = (): void => void (isAwake && setImmediate(stayAwake));
  stayAwake();
  await Promise.all(Array.from({ length: 8 }, connection));
  isAwake = false;
}

interface Load {
  readonly server: ServerName;
  readonly headers?: string;
  readonly requests: number;
  readonly targets?: readonly string[];
}

/** Requests per second of CPU time: the median of rounds in which the servers take turns. */
async function perCpuSecond<Name extends string>(
  rows: Readonly<Record<Name, Load>>,
): Promise<Record<Name, number>> {
  const entries = Object.entries<Load>(rows);
  const running = await Promise.all(entries.map(([, { server }]) => start(server)));
  const results = entries.map((): number[] => []);
  for (const [at, [, { headers = "", requests, targets = [target] }]] of entries.entries()) {
    // Warms up: the optimising compiler looks at what runs often.
    for (let turn = 0; turn < 5; turn++) await load(running[at]!.port, headers, requests, targets);
  }
  for (let round = 0; round < 9; round++) {
    for (const [at, [, { headers = "", requests, targets = [target] }]] of entries.entries()) {
      const server = running[at]!;
      const before = await cpuMsOf(server);
      await load(server.port, headers, requests, targets);
      results[at]!.push((1000 * requests) / ((await cpuMsOf(server)) - before));
    }
  }
  for (const { child } of running) child.disconnect();
  const medians = entries.map(([name], at) => [
    name,
    results[at]!.sort((a, b) => a - b)[results[at]!.length >> 1],
  ]);
  return Object.fromEntries(medians);
}

async function etag(): Promise<string> {
  const catalogue = catalogueFromVehicles(fleet(openDataSize));
  const { respond } = createVehicleRouter({
    catalogue,
    keys: () => ({ groups: ["ReadVehicles", "ReadVehiclesFull"] }),
  });
  return (
    (await respond({ method: "GET", url: target, headers: new Headers({ "api-key": key }) })).headers.ETag ??
    ""
  );
}

if (process.argv[2] === "serve") {
  await serve(process.argv[3] as ServerName);
} else {
  const unit = "requests per CPU-second";
  figures(
    "a page of 100 vehicles, 72 kB",
    await perCpuSecond({
      wye: { server: "wye", requests: 4000 },
      "wye, nothing kept": { server: "wye, nothing kept", requests: 4000 },
      "node:http, same bytes": { server: "node:http, same bytes", requests: 4000 },
      "Express, json-api-serializer per request": {
        server: "Express, json-api-serializer per request",
        requests: 300,
      },
    }),
    { unit, baseline: "node:http, same bytes" },
  );
  figures(
    "the same page, gzip",
    await perCpuSecond({
      wye: { server: "wye", headers: "Accept-Encoding: gzip\r\n", requests: 6000 },
      "node:http, same bytes": { server: "node:http, same bytes, gzip", requests: 6000 },
    }),
    { unit, baseline: "node:http, same bytes" },
  );
  figures(
    "the same page, ETag hit",
    await perCpuSecond({
      wye: { server: "wye", headers: `If-None-Match: ${await etag()}\r\n`, requests: 6000 },
      "node:http, 304": { server: "node:http, 304", requests: 6000 },
    }),
    { unit, baseline: "node:http, 304" },
  );
  for (const [title, targets, others] of [
    ["random lists, ids, brands and fieldsets, nothing kept", mixedTargets, true],
    ["what somebody types, nothing kept", searchTargets, false],
  ] as const) {
    const all = {
      wye: { server: "wye, nothing kept", requests: 3000, targets },
      "node:http, joining pieces": { server: "node:http, joining pieces", requests: 3000, targets },
      "node:http, whole bodies ready": { server: "node:http, whole bodies ready", requests: 3000, targets },
    } as const;
    const slow = {
      "Express, json-api-serializer per request": {
        server: "Express, json-api-serializer per request",
        requests: 600,
        targets,
      },
      "Fastify, json-api-serializer per request": {
        server: "Fastify, json-api-serializer per request",
        requests: 600,
        targets,
      },
    } as const;
    const rates = await perCpuSecond(others ? { ...all, ...slow } : all);
    figures(title, rates, { unit, baseline: "node:http, joining pieces" });
  }
}
