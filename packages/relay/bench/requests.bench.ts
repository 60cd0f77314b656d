import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Dispatcher } from "undici";
import { createRelay, type RelayOptions } from "../src/index.js";
import { type Served, serveIfChild, startServer } from "./child.js";
import { envId, mobileKey, sdkKey } from "./keys.js";
import { type Contender, compareEarlyRequests, compareServers, type Request } from "./measure-servers.js";
import { otherShapes, type Shape } from "./other-shapes.js";
import { peerCommand, startPeer } from "./peer.js";
import { Seeded } from "./seeded.js";
import { seededContext } from "./seeded-contexts.js";
import { seededData } from "./seeded-flags.js";
import { startUpstream } from "./upstream.js";

const standardContexts = (): readonly object[] => {
  const random = new Seeded(77);
  return random.list(256, () => seededContext(random));
};
const standard = (count: number): Shape => ({ data: () => seededData(count), contexts: standardContexts });
const shapes: Readonly<Record<string, Shape>> = {
  "50 flags": standard(50),
  "200 flags": standard(200),
  "1,000 flags": standard(1000),
  ...otherShapes,
};
/** For children. */
const upstreamVariable = "WYE_BENCH_UPSTREAM";
const bodySizeVariable = "WYE_BENCH_BODY";

async function listen(handler: (req: IncomingMessage, res: ServerResponse) => void): Promise<Served> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port };
}

async function serveRelay(options: RelayOptions): Promise<Served> {
  const url = process.env[upstreamVariable] ?? "";
  const relay = createRelay({
    upstream: { events: url, stream: url, app: url },
    environments: { bench: { sdkKey, mobileKey, envId, clientStream: "ping" } },
    ...options,
  });
  await relay.ready();
  return listen((req, res) => relay.handler(req, res));
}

await serveIfChild({
  /** Contexts come in turn here: every answer is made anew. */
  relay: () => serveRelay({ answerCacheBytes: 0 }),
  "relay that keeps answers": () => serveRelay({}),
  /**
   * The floor: the same number of bytes without any work. These clients read large answers in small parts, which both servers pay for: under
   * `wrk` a hundred kilobytes take half as long, and the ratio is larger.
   */
  bare() {
    const body = Buffer.alloc(Number(process.env[bodySizeVariable]), "x");
    return listen((req, res) => {
      const send = (): void => {
        res.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
        res.end(body);
      };
      if (req.method === "GET") send();
      else req.resume().on("end", send);
    });
  },
});

/** Puts the relay beside bare node:http, and beside the peer if there is one. */
async function compare(title: string, shape: Shape, request: Request, perRound: number): Promise<void> {
  const upstream = await startUpstream(shape.data());
  process.env[upstreamVariable] = upstream.url;
  process.env[bodySizeVariable] = String(await sizeOfAnswer(request));
  const contenders: Record<string, Contender> = {
    relay: { server: "relay", request },
    ...(title.startsWith("evalx for")
      ? { "relay, contexts that come again": { server: "relay that keeps answers", request } }
      : {}),
    "bare node:http": { server: "bare", request },
  };
  if (peerCommand !== undefined) {
    const command = peerCommand;
    contenders.peer = { server: () => startPeer(command, upstream.url), request };
  }
  await compareServers(title, contenders, { perRound, baseline: "bare node:http" });
  upstream.close();
}

/** How many bytes the relay answers with. */
async function sizeOfAnswer(request: Request): Promise<number> {
  const { Client } = await import("undici");
  const relay = await startServer("relay");
  const client = new Client(`http://127.0.0.1:${relay.port}`);
  const { statusCode, body } = await client.request(request(0));
  const { byteLength } = await body.arrayBuffer();
  if (statusCode >= 300) throw new Error(`the relay answers ${statusCode}`);
  await client.close();
  await relay.stop();
  return byteLength;
}

const get =
  (paths: readonly string[], authorization?: string): Request =>
  (index) => ({
    method: "GET",
    path: paths[index % paths.length] ?? "",
    ...(authorization === undefined ? {} : { headers: { authorization } }),
  });
const evalx = ({ contexts }: Shape, base: string, search = ""): string[] =>
  contexts().map(
    (one) => `${base}/contexts/${Buffer.from(JSON.stringify(one)).toString("base64url")}${search}`,
  );

for (const [name, shape] of Object.entries(shapes)) {
  const perRound = name.startsWith("5,000") || name.startsWith("1,000") ? 300 : 1000;
  await compare(`evalx for a browser: ${name}`, shape, get(evalx(shape, `/sdk/evalx/${envId}`)), perRound);
}

for (const count of [50, 200, 1000]) {
  const early = standard(count);
  const upstream = await startUpstream(early.data());
  process.env[upstreamVariable] = upstream.url;
  const request = get(evalx(early, `/sdk/evalx/${envId}`));
  process.env[bodySizeVariable] = String(await sizeOfAnswer(request));
  await compareEarlyRequests(
    `evalx for a browser, ${count} flags, in a new process`,
    { server: "relay", request },
    { server: "bare", request },
  );
  upstream.close();
}

const shape = standard(200);
await compare(
  "evalx with reasons: 200 flags",
  shape,
  get(evalx(shape, "/sdk/evalx", "?withReasons=true"), sdkKey),
  1000,
);
const bodies = standardContexts().map((one) => JSON.stringify(one));
const report: Request = (index) => ({
  // Otherwise undici makes a new connection for each request whose method it does not know.
  reset: false,
  method: "REPORT" as Dispatcher.HttpMethod,
  path: "/msdk/evalx/context",
  headers: { authorization: mobileKey, "content-type": "application/json" },
  body: bodies[index % bodies.length] ?? "",
});
await compare("evalx by REPORT: 200 flags", shape, report, 1000);
await compare("PHP polling of 200 flags", shape, get(["/sdk/flags"], sdkKey), 500);
const [firstKey] = Object.keys(shape.data().flags);
await compare("PHP polling of one flag", shape, get([`/sdk/flags/${firstKey}`], sdkKey), 3000);
await compare("/status", shape, get(["/status"]), 3000);

const counters = [{ variation: 0, value: true, version: 3, count: 7 }];
const summary = {
  kind: "summary",
  startDate: 1,
  endDate: 2,
  features: Object.fromEntries(
    Object.keys(seededData(12).flags).map((key) => [
      key,
      { default: false, contextKinds: ["user"], counters },
    ]),
  ),
};
const events = JSON.stringify([summary]);
const post: Request = () => ({
  method: "POST",
  path: `/events/bulk/${envId}`,
  headers: { "content-type": "application/json", "x-launchdarkly-event-schema": "4" },
  body: events,
});
await compare(`event posts of ${(events.length / 1000).toFixed(1)} KB`, shape, post, 3000);
