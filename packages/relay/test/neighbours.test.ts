import {
  createServer,
  type OutgoingHttpHeaders,
  type RequestListener,
  request as requestHttp,
} from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect as connectTcp } from "node:net";
import { createGunzip } from "node:zlib";
import fastifyCompress from "@fastify/compress";
import compression from "compression";
import express, { type RequestHandler } from "express";
import session from "express-session";
import fastify from "fastify";
import helmet from "helmet";
import morgan from "morgan";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Relay } from "../src/index.js";
import { createManualClock } from "../src/testing/manual-clock.js";
import { posts, turn } from "./event-relay.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

const authorization = keys.sdkKey;
const encodedUser = Buffer.from('{"kind":"user","key":"u"}').toString("base64url");

const behind =
  (...middleware: RequestHandler[]) =>
  (relay: Relay): RequestListener => {
    const app = express();
    for (const one of middleware) app.use(one);
    app.use(relay.handler);
    return app;
  };

const sessions = () =>
  session({ secret: "s", resave: true, saveUninitialized: true, cookie: { secure: false } });
const quietly = () => morgan("combined", { stream: { write: () => {} } });

/** Middleware of no package: this one adds to the headers, as an object that it takes them for. */
const marking: RequestHandler = (_, res, next) => {
  const writeHead = res.writeHead.bind(res);
  // The overloads of `writeHead` cannot be told from outside.
  res.writeHead = ((status: number, headers?: OutgoingHttpHeaders) =>
    writeHead(status, { ...headers, "X-Marked": "yes" })) as typeof res.writeHead;
  next();
};

/** This one replaces what is written. */
const upperCase: RequestHandler = (_, res, next) => {
  const write = res.write.bind(res);
  // The overloads of `write` cannot be told from outside.
  res.write = ((chunk: Buffer, ...rest: []) =>
    write(chunk.toString().toUpperCase(), ...rest)) as typeof res.write;
  next();
};

const mounts: Record<string, (relay: Relay) => RequestListener> = {
  nothing: (relay) => relay.handler,
  Express: behind(),
  "compression()": behind(compression()),
  "compression({ threshold: 0, level: 9 })": behind(compression({ threshold: 0, level: 9 })),
  helmet: behind(helmet()),
  morgan: behind(quietly()),
  "express-session": behind(sessions()),
  "all of them": behind(quietly(), helmet(), sessions(), compression()),
};

/** Reads a response as text as it comes, unpacked if it says that it is packed. */
function follow(relay: Running, method: string, path: string, headers: Record<string, string>, body = "") {
  let text = "";
  let ended = false;
  let wake = () => {};
  let encoding: string | undefined;
  const req = requestHttp(
    relay.url + path,
    { method, headers: { "accept-encoding": "gzip", ...headers } },
    (res) => {
      encoding = res.headers["content-encoding"];
      const plain = encoding === "gzip" ? res.pipe(createGunzip()) : res;
      plain.on("data", (chunk) => {
        text += chunk;
        wake();
      });
      plain.on("end", () => {
        ended = true;
        wake();
      });
      plain.on("error", () => wake());
    },
  );
  req.on("error", () => {});
  req.end(body);
  onTestFinished(() => void req.destroy());
  return {
    encoding: () => encoding,
    async until(condition: (text: string, ended: boolean) => boolean): Promise<string> {
      while (!condition(text, ended)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return text;
    },
  };
}

describe("streams are whole behind", () => {
  for (const [name, mount] of Object.entries(mounts)) {
    test(name, async () => {
      const relay = await startRelay({ mount });
      const streams = [
        follow(relay, "GET", "/all", { authorization }),
        follow(relay, "GET", "/flags", { authorization }),
        follow(relay, "GET", `/eval/${keys.envId}/${encodedUser}`, {}),
        follow(relay, "REPORT", `/eval/${keys.envId}`, { "content-type": "application/json" }, '{"key":"u"}'),
        follow(relay, "GET", `/ping/${keys.envId}`, {}),
      ];
      for (const stream of streams) await stream.until((text) => text.includes("\n\n"));
      relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
      for (const stream of streams) await stream.until((text) => text.split("\n\n").length === 3);
      await relay.relay.close({ within: "1s" });
      for (const stream of streams) {
        const text = await stream.until((_, ended) => ended);
        expect(text).toMatch(
          /^event: (?:put\ndata: \{.*\}\n\nevent: patch\ndata: \{.*\}|ping\ndata: {2}\n\nevent: ping\ndata: {2})\n\n$/,
        );
      }
    });
  }

  test("a middleware that replaces what is written", async () => {
    const relay = await startRelay({ mount: behind(upperCase) });
    const stream = follow(relay, "GET", "/all", { authorization });
    await stream.until((text) => text.includes("\n\n"));
    relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
    expect(await stream.until((text) => text.split("\n\n").length === 3)).toMatch(
      /^EVENT: PUT\n.*\n\nEVENT: PATCH\n/,
    );
  });

  test("a middleware that adds to the headers", async () => {
    const relay = await startRelay({ mount: behind(marking) });
    const answers = [
      await fetch(`${relay.url}/sdk/evalx/${keys.envId}/contexts/${encodedUser}`),
      await fetch(`${relay.url}/sdk/flags`, { headers: { authorization } }),
      await fetch(`${relay.url}/status`),
    ];
    for (const { status, headers } of answers) {
      const shown = ["x-marked", "content-type"].map((name) => headers.get(name));
      expect([status, ...shown]).toEqual([200, "yes", "application/json"]);
    }
    expect(answers[0]?.headers.get("access-control-allow-methods")).toBe("GET,OPTIONS");
  });

  test("compression, which does compress them", async () => {
    const relay = await startRelay({ mount: behind(compression()) });
    const stream = follow(relay, "GET", "/all", { authorization });
    await stream.until((text) => text.includes("\n\n"));
    expect(stream.encoding()).toBe("gzip");
  });

  test("@fastify/compress", async () => {
    const clock = createManualClock();
    const relay = await startRelay({ options: { clock } });
    const app = fastify();
    await app.register(fastifyCompress, { threshold: 0 });
    app.addHook("onRequest", (request, reply, next) => {
      relay.relay.handler(request.raw, reply.raw, () => next());
      if (reply.raw.writableEnded || reply.raw.headersSent) reply.hijack();
    });
    app.get("/own", async () => ({ own: "x".repeat(2000) }));
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    onTestFinished(async () => {
      await relay.relay.close({ within: 0 });
      await app.close();
    });
    const mounted = { ...relay, url };
    const stream = follow(mounted, "GET", "/all", { authorization });
    await stream.until((text) => text.includes("\n\n"));
    relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
    await stream.until((text) => text.split("\n\n").length === 3);
    const own = follow(mounted, "GET", "/own", {});
    expect(await own.until((_, ended) => ended)).toContain("xxx");
    expect(own.encoding()).toBe("gzip");
  });
});

describe("other answers, small and large, are whole behind", () => {
  const large = flag("large", 1, { variations: ["x".repeat(200_000)] });
  const data = { [keys.sdkKey]: { flags: { a: flag("a", 1), large } } };
  for (const [name, mount] of Object.entries(mounts)) {
    test(name, async () => {
      const relay = await startRelay({ data, mount });
      const plain = await startRelay({ data });
      for (const path of [
        "/sdk/latest-all",
        "/sdk/flags/a",
        "/sdk/flags/large",
        "/sdk/evalx/contexts/e30",
        "/status",
        "/live",
        "/nope",
      ]) {
        const [here, there] = [relay, plain].map((one) => follow(one, "GET", path, { authorization }));
        const ends = (_: string, ended: boolean) => ended;
        const [text, expected] = await Promise.all([here!.until(ends), there!.until(ends)]);
        expect(path === "/status" || path === "/nope" ? text.length > 0 : text === expected, path).toBe(true);
      }
    });
  }
});

test("behind compression a reader who takes nothing is disconnected after a while", async () => {
  const dropped: string[] = [];
  const clock = createManualClock();
  const relay = await startRelay({
    mount: behind(compression({ level: 0 })),
    options: {
      clock,
      metrics: { count: (name) => name === "streams_dropped" && dropped.push(name), gauge() {} },
    },
  });
  const req = requestHttp(`${relay.url}/all`, { headers: { authorization, "accept-encoding": "gzip" } });
  req.on("error", () => {});
  req.end();
  const res = await new Promise<import("node:http").IncomingMessage>((resolve) =>
    req.on("response", resolve),
  );
  res.pause().on("error", () => {});
  const before = process.memoryUsage().rss;
  for (let version = 2; dropped.length === 0; version++) {
    relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", version, { text: "x".repeat(500_000) }));
    await turn();
    clock.advance(20_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(500 * 1024 * 1024);
  }
  expect(dropped).toHaveLength(1);
  req.destroy();
});

test("HTTP/2: every kind of endpoint, with the handler as it is", async () => {
  const clock = createManualClock();
  const relay = await startRelay({ options: { clock, events: { flushInterval: 1000 } } });
  const server = createHttp2Server(relay.relay.handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(async () => {
    client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const ask = (method: string, path: string, body = "") =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = {
        ":method": method,
        ":path": path,
        authorization,
        "content-type": "application/json",
      };
      const stream = client.request(headers, { endStream: body === "" });
      let status = 0;
      let text = "";
      stream.on("response", (headers) => {
        status = Number(headers[":status"]);
      });
      stream.on("data", (chunk) => {
        text += chunk;
      });
      stream.on("end", () => resolve({ status, text }));
      stream.on("error", reject);
      if (body !== "") stream.end(body);
    });
  expect(await ask("GET", "/sdk/flags/a")).toMatchObject({
    status: 200,
    text: expect.stringContaining('"key":"a"'),
  });
  expect(await ask("REPORT", "/sdk/evalx/context", '{"key":"u"}')).toMatchObject({ status: 200 });
  expect(await ask("GET", "/status")).toMatchObject({ status: 200 });
  expect(await ask("POST", "/nope")).toMatchObject({ status: 404 });
  expect(await ask("POST", "/bulk", '[{"kind":"x"}]')).toMatchObject({ status: 202 });
  expect(await ask("POST", "/diagnostic", '{"kind":"diagnostic"}')).toMatchObject({ status: 202 });
  const received = await posts(relay, clock, 2);
  expect(received.map(({ path }) => path).sort()).toEqual(["/bulk", "/diagnostic"]);
  await relay.relay.close({ within: 0 });
  expect(await ask("GET", "/all")).toMatchObject({ status: 503 });
});

test("a reader of HTTP/1.0 gets events without the chunks of HTTP/1.1", async () => {
  const relay = await startRelay();
  const reader = connectTcp(Number(new URL(relay.url).port), "127.0.0.1");
  onTestFinished(() => void reader.destroy());
  let text = "";
  let wake = () => {};
  reader.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
    wake();
  });
  const until = async (condition: () => boolean) => {
    while (!condition())
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  reader.write(`GET /all HTTP/1.0\r\nauthorization: ${authorization}\r\n\r\n`);
  const body = () => text.slice(text.indexOf("\r\n\r\n") + 4);
  await until(() => text.indexOf("\n\n", text.indexOf("\r\n\r\n") + 4) > 0);
  relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
  await until(() => body().split("\n\n").length === 3);
  expect(body()).toMatch(/^event: put\ndata: \{.*\}\n\nevent: patch\ndata: \{.*\}\n\n$/);
});

test("a plain server still gets the shared chunks on its sockets", async () => {
  const relay = await startRelay();
  let direct = 0;
  const listening = createServer((req, res) => {
    relay.relay.handler(req, res);
    const write = res.socket!.write.bind(res.socket);
    // The overloads of `write` cannot be told from outside.
    res.socket!.write = ((chunk: Buffer, ...rest: []) => {
      if (Buffer.isBuffer(chunk) && chunk.includes("event: patch")) direct++;
      return write(chunk, ...rest);
    }) as typeof write;
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const stream = follow({ ...relay, url }, "GET", "/all", { authorization });
  await stream.until((text) => text.includes("\n\n"));
  relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2));
  await stream.until((text) => text.split("\n\n").length === 3);
  expect(direct).toBe(1);
});
