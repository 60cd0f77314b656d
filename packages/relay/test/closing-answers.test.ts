import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import compression from "compression";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFixedSource } from "../src/index.js";
import { flag, keys, startRelay } from "./start-relay.js";

const context = '{"kind":"user","key":"u"}';
/** A context of its own for each request: answers that are kept wait for nothing. */
const encoded = (n: number) => Buffer.from(`{"kind":"user","key":"u${n}"}`).toString("base64url");
const server = { authorization: keys.sdkKey };
const json = { ...server, "content-type": "application/json" };
const event = '[{"kind":"custom","key":"k"}]';

interface Asked {
  readonly method: string;
  readonly path: string | ((n: number) => string);
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly status: number;
}

const requests: Record<string, Asked> = {
  "flags of a page": {
    method: "GET",
    path: (n) => `/sdk/evalx/${keys.envId}/contexts/${encoded(n)}`,
    status: 200,
  },
  "flags of a context in the body": {
    method: "REPORT",
    path: "/sdk/evalx/context",
    headers: json,
    body: context,
    status: 200,
  },
  "a page that asks whether it may": { method: "OPTIONS", path: `/sdk/goals/${keys.envId}`, status: 200 },
  "an unknown key": { method: "GET", path: "/sdk/flags", headers: { authorization: "x" }, status: 401 },
  "a wrong method": { method: "DELETE", path: "/sdk/flags", headers: server, status: 405 },
  "the status": { method: "GET", path: "/status", status: 200 },
  "events that were taken": { method: "POST", path: "/bulk", headers: json, body: event, status: 202 },
  "packed events, which are not": {
    method: "POST",
    path: "/bulk",
    headers: { ...json, "content-encoding": "gzip" },
    body: gzipSync(event),
    status: 503,
  },
};

/** Asks a server on a connection of its own, and gives the status; rejects when it ends before the whole answer has come. */
function ask(port: number, asked: Asked, n: number): Promise<number> {
  const { method, headers, body } = asked;
  const path = typeof asked.path === "string" ? asked.path : asked.path(n);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const options = {
      host: "127.0.0.1",
      port,
      method,
      path,
      agent: false,
      headers: { "accept-encoding": "gzip", ...headers, ...length },
    };
    const req = request(options, (res) => {
      res.resume();
      res.on("error", reject);
      res.on("end", () => resolve(res.statusCode ?? 0));
    });
    req.on("error", reject);
    req.end(body);
  });
}

/** Lets everything be done that waits for nothing but promises. */
async function promises(): Promise<void> {
  for (let n = 0; n < 100; n++) await undefined;
}

type Between = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/** What stands between a server and the relay. */
const between: Record<string, Between> = {
  nothing: (_req, _res, next) => next(),
  compression: compression({ threshold: 0 }) as unknown as Between,
  "what keeps something first": (_req, res, next) => {
    const { end } = res;
    res.end = ((...args: Parameters<typeof end>) => {
      setTimeout(() => end.apply(res, args), 20);
      return res;
    }) as typeof end;
    next();
  },
};

describe.each(Object.entries(between))(
  "behind %s, a server that ends as the README says answers what the relay was given",
  (_, pass) => {
    for (const [name, asked] of Object.entries(requests)) {
      for (const flags of [
        { a: flag("a", 1) },
        { a: flag("a", 1, { variations: ["x".repeat(3_000_000)] }) },
      ]) {
        const size = JSON.stringify(flags).length;
        test(`${name}, flags of ${size} characters`, async () => {
          const { relay } = await startRelay({
            // Nothing else has to be waited for.
            environments: { prod: { ...keys, source: createFixedSource(JSON.stringify({ flags })).source } },
            options: { events: "discard" },
          });
          let given = 0;
          const own = createServer((req, res) => {
            pass(req, res, () => relay.handler(req, res));
            given++;
            if (given < 8) return;
            if (asked.body === undefined) void end();
            else req.once("end", end);
          });
          const end = async () => {
            await promises();
            own.close();
            await relay.close();
            own.closeAllConnections();
          };
          await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
          onTestFinished(() => void own.close());
          const { port } = own.address() as AddressInfo;
          const statuses = await Promise.all(Array.from({ length: 8 }, (_, n) => ask(port, asked, n)));
          expect(statuses).toContain(asked.status);
        });
      }
    }
  },
);
