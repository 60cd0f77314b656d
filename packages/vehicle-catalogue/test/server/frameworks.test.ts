import http from "node:http";
import http2 from "node:http2";
import type { Server } from "node:net";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import { describe, expect, test } from "vitest";
import { ask, fullKey, type Listening, listening, openRouter } from "./listening.js";

/** A server with the router under `/api` and a page of its own at `/hello` and `/api/hello`. */
const hosts: Readonly<Record<string, () => Promise<Server> | Server>> = {
  "node:http with a prefix"() {
    const router = openRouter({ prefix: "/api" });
    return http.createServer((request, response) =>
      router.node(request, response, () => response.end("hello")),
    );
  },
  "Express 5, mounted"() {
    const app = express();
    app.use("/api", openRouter().node);
    app.use((_request, response) => void response.end("hello"));
    return http.createServer(app);
  },
  "Express 5, at the root with a prefix"() {
    const app = express();
    app.use(openRouter({ prefix: "/api" }).node);
    app.use((_request, response) => void response.end("hello"));
    return http.createServer(app);
  },
  async "Fastify 5"() {
    const app = fastify();
    const router = openRouter({ prefix: "/api" });
    app.addHook("onRequest", (request, reply, done) => router.node(request.raw, reply.raw, done));
    app.get("/hello", async () => "hello");
    app.get("/api/hello", async () => "hello");
    await app.ready();
    return app.server;
  },
  Hono() {
    const app = new Hono();
    app.mount("/api/v2", openRouter({ prefix: "" }).fetch, {
      replaceRequest: (request) => new Request(request.url.replace("/api", ""), request),
    });
    app.all("*", (context) => context.text("hello"));
    return http.createServer(getRequestListener(app.fetch));
  },
  "Hono, by a route"() {
    const app = new Hono();
    const router = openRouter({ prefix: "/api" });
    app.all("/api/v2/*", (context) => router.fetch(context.req.raw));
    app.all("*", (context) => context.text("hello"));
    return http.createServer(getRequestListener(app.fetch));
  },
  Koa() {
    const app = new Koa();
    const router = openRouter({ prefix: "/api" });
    app.use(
      (context, next) =>
        new Promise((done, fail) => {
          context.respond = false;
          context.res.once("close", done);
          router.node(context.req, context.res, () => {
            context.respond = true;
            next().then(done, fail);
          });
        }),
    );
    app.use((context) => {
      context.body = "hello";
    });
    return http.createServer(app.callback());
  },
};

for (const [host, create] of Object.entries(hosts)) {
  describe(host, () => {
    test("serves pages, errors, conditional requests and HEAD below the prefix, and leaves other paths alone", async () => {
      const server = await listening(await create());
      try {
        const page = await ask(server.origin, "/api/v2/vehicles?page[size]=3");
        expect(page.status).toBe(200);
        expect(page.headers["content-type"]).toBe("application/vnd.api+json");
        expect(page.json.data).toHaveLength(3);
        const next = new URL(page.json.links.next ?? "", `${server.origin}/api/v2/vehicles`);
        expect((await ask(server.origin, next.pathname + next.search)).json.data).toHaveLength(3);

        const etag = page.headers.etag ?? "";
        const again = await ask(server.origin, "/api/v2/vehicles?page[size]=3", {
          headers: { "if-none-match": etag },
        });
        expect([again.status, again.body.length]).toEqual([304, 0]);

        const head = await ask(server.origin, "/api/v2/vehicles?page[size]=3", { method: "HEAD" });
        expect([head.status, head.headers["content-length"]]).toEqual([200, String(page.body.length)]);

        expect((await ask(server.origin, "/api/v2/vehicles", { key: null })).json.errors[0]!.code).toBe(
          "FORBIDDEN",
        );
        expect((await ask(server.origin, "/api/v2/vehicles", { method: "DELETE" })).status).toBe(405);
        expect((await ask(server.origin, "/api/v2/vehicles", { method: "OPTIONS", key: null })).status).toBe(
          204,
        );
        expect((await ask(server.origin, "/api/v2/openapi.json", { key: null })).text).toContain(
          '"openapi":"3.1.0"',
        );

        for (const path of ["/hello", "/api/hello"]) {
          expect((await ask(server.origin, path)).text).toBe("hello");
        }
      } finally {
        await server.close();
      }
    });
  });
}

describe("node:http2", () => {
  test("serves pages, 304 and errors", async () => {
    const server = await listening(http2.createServer(openRouter().node));
    const session = http2.connect(server.origin);
    const get = (path: string, headers: http2.OutgoingHttpHeaders = {}) =>
      new Promise<{ status: number; headers: http2.IncomingHttpHeaders; text: string }>((resolve, reject) => {
        const stream = session.request({ ":path": path, "api-key": fullKey, ...headers });
        let answered: http2.IncomingHttpHeaders = {};
        let text = "";
        stream.setEncoding("utf8");
        stream.on("response", (found) => {
          answered = found;
        });
        stream.on("data", (chunk: string) => {
          text += chunk;
        });
        stream.on("end", () => resolve({ status: Number(answered[":status"]), headers: answered, text }));
        stream.on("error", reject);
      });
    try {
      const page = await get("/v2/vehicles?page[size]=2");
      expect([page.status, page.headers["content-type"]]).toEqual([200, "application/vnd.api+json"]);
      expect(JSON.parse(page.text).data).toHaveLength(2);
      const again = await get("/v2/vehicles?page[size]=2", { "if-none-match": page.headers.etag ?? "" });
      expect([again.status, again.text]).toEqual([304, ""]);
      expect((await get("/v2/vehicles?x=1")).status).toBe(400);
      expect((await get("/nowhere")).status).toBe(404);
      const many = await Promise.all(
        Array.from({ length: 50 }, (_, at) => get(`/v2/vehicles?page[number]=${at + 1}`)),
      );
      expect(many.map(({ status }) => status)).toEqual(Array(50).fill(200));
    } finally {
      await new Promise<void>((resolve) => session.close(resolve));
      await server.close();
    }
  });
});

describe("hosts that answer first", () => {
  test("a response that something else has sent is left alone", async () => {
    const keys = async () => ({ groups: ["ReadVehicles" as const] });
    const router = openRouter({ keys });
    const server: Listening = await listening(
      http.createServer((request, response) => {
        router.node(request, response);
        response.writeHead(503).end("too late");
      }),
    );
    const { status, text } = await ask(server.origin, "/v2/vehicles");
    expect([status, text]).toEqual([503, "too late"]);
    await server.close();
  });
});
