import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ContextResult, compileFlags, contextFromBase64, parseContext } from "@wye/flag-evaluator";
import type { Dispatcher } from "undici";
import { figures } from "../../../scripts/bench-harness.js";
import { createFixedSource, createRelay } from "../src/index.js";
import { type Served, serveIfChild } from "./child.js";
import { contexts, flagsJson } from "./flags.js";
import { measureServers, type Request } from "./measure-servers.js";

const sdkKey = "sdk-bench";
const envId = "env-bench";
const sizes = [50, 200, 1000];

async function listen(handler: (req: IncomingMessage, res: ServerResponse) => void): Promise<Served> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port };
}

async function relayWith(count: number): Promise<Served> {
  const upstream = await listen((req, res) => req.resume().on("end", () => res.writeHead(202).end()));
  const relay = createRelay({
    upstream: { events: `http://127.0.0.1:${upstream.port}` },
    environments: { bench: { sdkKey, envId, source: createFixedSource(flagsJson(count)).source } },
  });
  await relay.ready();
  return listen((req, res) => relay.handler(req, res));
}

/** The least that must be done: read the context, evaluate, answer with node:http. */
function bareEvaluation(count: number): Promise<Served> {
  const evaluator = compileFlags(JSON.parse(flagsJson(count)));
  const send = (res: ServerResponse, result: ContextResult) => {
    const body = result.ok ? evaluator.evaluateAll(result.context, { audience: "browser" }) : "{}";
    res.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
    res.end(body, "latin1");
  };
  return listen((req, res) => {
    if (req.method === "GET") send(res, contextFromBase64(req.url?.split("/").at(-1) ?? ""));
    else {
      let text = "";
      req.setEncoding("utf8");
      req.on("data", (chunk) => {
        text += chunk;
      });
      req.on("end", () => send(res, parseContext(text)));
    }
  });
}

/** The same number of bytes without any work. */
function bareBytes(size: number): Promise<Served> {
  const body = Buffer.alloc(size, "x");
  return listen((req, res) => {
    req.resume();
    res.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
    res.end(body);
  });
}

await serveIfChild({
  ...Object.fromEntries(sizes.map((count) => [`relay-${count}`, () => relayWith(count)])),
  ...Object.fromEntries(sizes.map((count) => [`evaluation-${count}`, () => bareEvaluation(count)])),
  "bytes-polled": () => bareBytes(Buffer.byteLength(JSON.stringify(JSON.parse(flagsJson(200)).flags))),
  "bytes-post": () => bareBytes(0),
});

const encoded = contexts.map((text) => Buffer.from(text).toString("base64url"));
const evalx: Request = (index) => ({
  method: "GET",
  path: `/sdk/evalx/${envId}/contexts/${encoded[index % 256]}`,
});
const report: Request = (index) => ({
  // Otherwise undici makes a new connection for each request whose method it does not know.
  reset: false,
  method: "REPORT" as Dispatcher.HttpMethod,
  path: `/sdk/evalx/${envId}/context`,
  headers: { "content-type": "application/json" },
  body: contexts[index % 256] ?? "",
});
const unit = "µs CPU";

for (const count of sizes) {
  for (const [method, request] of [
    ["GET", evalx],
    ["REPORT", report],
  ] as const) {
    figures(
      `evalx by ${method}, ${count} flags, 256 contexts in turn`,
      await measureServers(
        {
          relay: { server: `relay-${count}`, request },
          "evaluation + node:http": { server: `evaluation-${count}`, request },
        },
        count === 1000 ? 600 : 2000,
      ),
      { unit, baseline: "evaluation + node:http" },
    );
  }
}

const poll: Request = () => ({ method: "GET", path: "/sdk/flags", headers: { authorization: sdkKey } });
figures(
  "PHP polling of 200 flags",
  await measureServers(
    { relay: { server: "relay-200", request: poll }, "node:http": { server: "bytes-polled", request: poll } },
    1000,
  ),
  { unit, baseline: "node:http" },
);

const events = JSON.stringify(
  Array.from({ length: 10 }, (_, i) => ({ kind: "identify", creationDate: i, text: "x".repeat(120) })),
);
const post: Request = () => ({
  method: "POST",
  path: "/bulk",
  headers: { authorization: sdkKey, "x-launchdarkly-event-schema": "4" },
  body: events,
});
figures(
  "event posts of 1.6 KB",
  await measureServers(
    { relay: { server: "relay-50", request: post }, "node:http": { server: "bytes-post", request: post } },
    3000,
  ),
  {
    unit,
    baseline: "node:http",
    note: "The relay also batches, compresses and forwards them within its time.",
  },
);
