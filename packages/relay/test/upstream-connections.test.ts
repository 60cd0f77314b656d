import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { Agent, ProxyAgent } from "undici";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { UpstreamOptions } from "../src/options/options.js";
import type { FakeUpstream } from "../src/testing/fake-upstream.js";
import { eventsUntil } from "./events-until.js";
import { flag, keys, type Running, type StartOptions, startRelay } from "./start-relay.js";

const testdata = new URL("../testdata/", import.meta.url);
const certificate = readFileSync(new URL("upstream-certificate.pem", testdata), "utf8");
const key = readFileSync(new URL("upstream-key.pem", testdata), "utf8");

const rolesAt = (url: string): UpstreamOptions => ({ stream: url, app: url, events: url });
const portOf = (url: string): number => Number(new URL(url).port);

/** Listens on a free port until the test ends; gives the port. */
async function listen(server: NetServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** Connects two sockets; when one ends, so does the other. */
function join(one: Duplex, other: Duplex): void {
  one.pipe(other).pipe(one);
  one.on("error", () => other.destroy()).on("close", () => other.destroy());
  other.on("error", () => one.destroy()).on("close", () => one.destroy());
}

/** Hands a request on to a server, as it came. */
function passOn(req: IncomingMessage, res: ServerResponse, port: number, path = req.url): void {
  const { method, headers } = req;
  const onward = request({ port, host: "127.0.0.1", method, path, headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  onward.on("error", () => res.destroy());
  res.on("close", () => onward.destroy());
  req.pipe(onward);
}

/** A forward proxy: it alone knows where `upstream.example` is. */
async function startProxy(port: number): Promise<{ url: string; seen: string[]; credentials: Set<unknown> }> {
  const seen: string[] = [];
  const credentials = new Set<unknown>();
  const note = (req: IncomingMessage) => {
    seen.push(`${req.method} ${req.url}`);
    credentials.add(req.headers["proxy-authorization"]);
  };
  const proxy = createServer((req, res) => {
    note(req);
    const { pathname, search } = new URL(req.url ?? "/", "http://proxy");
    delete req.headers["proxy-authorization"];
    passOn(req, res, port, pathname + search);
  });
  proxy.on("connect", (req, socket) => {
    note(req);
    const onward = connect(port, "127.0.0.1", () =>
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n"),
    );
    join(socket, onward);
  });
  return { url: `http://127.0.0.1:${await listen(proxy)}`, seen, credentials };
}

/** Upstream behind TLS, with a certificate that no system trusts. */
async function startTls(upstream: FakeUpstream): Promise<number> {
  return listen(
    createTlsServer({ cert: certificate, key }, (socket) =>
      join(socket, connect(portOf(upstream.url), "127.0.0.1")),
    ),
  );
}

const settings: StartOptions = {
  data: { [keys.sdkKey]: { flags: { a: flag("a", 1) } } },
  options: { events: { flushInterval: 20 } },
};

/** Uses everything that the relay asks of upstream: the stream, goals, events, diagnostics. */
async function useEverything({ relay, upstream, fetch }: Running): Promise<void> {
  expect(relay.status().status).toBe("healthy");
  expect(await fetch("GET", `/sdk/goals/${keys.envId}`)).toMatchObject({ status: 200, body: '[{"id":"g"}]' });
  const headers = { authorization: keys.sdkKey, "x-launchdarkly-event-schema": "4" };
  await fetch("POST", "/bulk", { headers, body: '[{"kind":"custom"}]' });
  await fetch("POST", "/diagnostic", { headers, body: '{"kind":"diagnostic"}' });
  const events = await eventsUntil(upstream, ["custom", "diagnostic"]);
  for (const { post } of Object.values(events)) expect(post.headers.authorization).toBe(keys.sdkKey);
}

describe("through a proxy", () => {
  const token = `Basic ${Buffer.from("wye:secret").toString("base64")}`;
  const cases = [
    { name: "plain, in tunnels", scheme: "http", proxyTunnel: true, seen: /^CONNECT upstream\.example:80$/ },
    { name: "plain, request by request", scheme: "http", proxyTunnel: false, seen: /^(GET|POST) http:/ },
    {
      name: "TLS inside tunnels",
      scheme: "https",
      proxyTunnel: true,
      seen: /^CONNECT upstream\.example:443$/,
    },
  ];
  for (const { name, scheme, proxyTunnel, seen } of cases) {
    test(`${name}: streams, goals and events all go through it, and its credentials no further`, async () => {
      const proxies: Awaited<ReturnType<typeof startProxy>>[] = [];
      const running = await startRelay({
        ...settings,
        async reach(upstream) {
          const port = scheme === "https" ? await startTls(upstream) : portOf(upstream.url);
          const proxy = await startProxy(port);
          proxies.push(proxy);
          const dispatcher = new ProxyAgent({
            uri: proxy.url,
            token,
            proxyTunnel,
            requestTls: { ca: certificate },
          });
          onTestFinished(() => dispatcher.close());
          return { ...rolesAt(`${scheme}://upstream.example`), dispatcher };
        },
      });
      await useEverything(running);
      const [proxy] = proxies;
      expect(proxy?.seen.filter((line) => !seen.test(line))).toEqual([]);
      expect(proxy?.seen.length).toBeGreaterThan(0);
      expect(proxy?.credentials).toEqual(new Set([token]));
      const { streamRequests, goalsRequests } = running.upstream;
      for (const { headers } of [...streamRequests, ...goalsRequests])
        expect(headers).not.toHaveProperty("proxy-authorization");
    });
  }
});

describe("a certificate of an authority of one's own", () => {
  test("is trusted when the dispatcher knows the authority", async () => {
    const running = await startRelay({
      ...settings,
      async reach(upstream) {
        const dispatcher = new Agent({ connect: { ca: certificate } });
        onTestFinished(() => dispatcher.close());
        return { ...rolesAt(`https://127.0.0.1:${await startTls(upstream)}`), dispatcher };
      },
    });
    await useEverything(running);
  });

  test("is refused otherwise, which is a NETWORK_ERROR", async () => {
    const { relay, upstream } = await startRelay({
      ...settings,
      reach: async (upstream) => rolesAt(`https://127.0.0.1:${await startTls(upstream)}`),
      options: { initTimeout: 1 },
    });
    await expect
      .poll(() => relay.status().environments.prod?.connectionStatus, { interval: 5 })
      .toMatchObject({
        state: "INITIALIZING",
        lastError: { kind: "NETWORK_ERROR" },
      });
    expect(upstream.streamRequests).toEqual([]);
  });
});

/** A server that sends everything below `/moved` on to `target`, or to itself without the prefix. */
async function startMoved(
  upstream: FakeUpstream,
  status: number,
  target: (self: string) => string,
): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server: Server = createServer((req, res) => {
    requests.push(`${req.method} ${req.url}`);
    const path = req.url ?? "/";
    if (path.startsWith("/moved"))
      res.writeHead(status, { location: target(url) + path.slice("/moved".length) }).end();
    else passOn(req, res, portOf(upstream.url));
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return { url: `${url}/moved`, requests };
}

test("addresses with a path, and with a slash at the end, are prefixes of what is asked", async () => {
  const requests: string[] = [];
  const running = await startRelay({
    ...settings,
    async reach(upstream) {
      const server = createServer((req, res) => {
        requests.push(`${req.method} ${req.url}`);
        passOn(req, res, portOf(upstream.url), req.url?.replace("/flags/v1/", "/"));
      });
      return rolesAt(`http://127.0.0.1:${await listen(server)}/flags/v1/`);
    },
  });
  await useEverything(running);
  expect(requests.sort()).toEqual([
    "GET /flags/v1/all",
    `GET /flags/v1/sdk/goals/${keys.envId}`,
    "POST /flags/v1/bulk",
    "POST /flags/v1/diagnostic",
  ]);
});

describe("redirects", () => {
  for (const status of [301, 302, 307, 308]) {
    test(`${status} within one origin is followed with the key, and a post stays a post`, async () => {
      const running = await startRelay({
        ...settings,
        reach: async (upstream) => rolesAt((await startMoved(upstream, status, (self) => self)).url),
      });
      await useEverything(running);
      expect(running.upstream.streamRequests[0]?.headers.authorization).toBe(keys.sdkKey);
    });

    test(`${status} to another origin says nothing about the key, and nothing is lost`, async () => {
      const logger = { debug() {}, info() {}, warn: vi.fn(), error() {} };
      const other = createServer((_, res) => res.writeHead(401).end());
      const target = `http://127.0.0.1:${await listen(other)}`;
      let isMoved = true;
      const { relay, fetch, upstream } = await startRelay({
        ...settings,
        options: { ...settings.options, initTimeout: 1, logger },
        async reach({ url }) {
          const front = createServer((req, res) => {
            if (isMoved) res.writeHead(status, { location: target + req.url }).end();
            else passOn(req, res, portOf(url));
          });
          return rolesAt(`http://127.0.0.1:${await listen(front)}`);
        },
      });
      await expect
        .poll(() => relay.status().environments.prod?.connectionStatus.lastError, { interval: 5 })
        .toBeDefined();
      expect(relay.status().environments.prod?.connectionStatus.state).toBe("INITIALIZING");
      expect(await fetch("GET", "/all", { headers: { authorization: keys.sdkKey } })).toMatchObject({
        status: 503,
      });
      expect(logger.warn).toHaveBeenCalledWith(expect.stringContaining(`sends to ${target}`));
      const headers = { authorization: keys.sdkKey, "x-launchdarkly-event-schema": "4" };
      const post = await fetch("POST", "/bulk", { headers, body: '[{"kind":"custom"}]' });
      expect(post.status).toBe(202);
      isMoved = false;
      expect((await eventsUntil(upstream, ["custom"])).custom).toBeDefined();
      await expect.poll(() => relay.status().status, { interval: 20 }).toBe("healthy");
    });
  }

  test("are followed five times, then it is an error and tried again later", async () => {
    const asked: string[][] = [];
    const { relay } = await startRelay({
      ...settings,
      options: { initTimeout: 1 },
      async reach(upstream) {
        let hop = 0;
        const moved = await startMoved(upstream, 307, (self) => `${self}/moved/${++hop}`);
        asked.push(moved.requests);
        return rolesAt(moved.url);
      },
    });
    await expect
      .poll(() => relay.status().environments.prod?.connectionStatus, { interval: 5 })
      .toMatchObject({
        state: "INITIALIZING",
        lastError: { kind: "ERROR_RESPONSE" },
      });
    expect(asked[0]).toHaveLength(6);
  });
});
