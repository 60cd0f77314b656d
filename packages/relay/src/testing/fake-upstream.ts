import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { createFakeAutoConfig, type FakeAutoConfig } from "./fake-auto-config.js";
import { createFakeEnvironment, type FakeData, type FakeEnvironment } from "./fake-environment.js";

/** A request that reached the stand-in. */
export interface ReceivedRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A post that reached the stand-in, with its body decoded. */
export interface ReceivedPost extends ReceivedRequest {
  readonly gzip: boolean;
  /** The JSON value of the body; text that is no JSON stays text. */
  readonly body: unknown;
}

/** How the stand-in answers: a status, or `"drop"` to end the connection without an answer. */
export type FakeAnswer = number | "drop";

/** What the stand-in knows when it starts. */
export interface FakeUpstreamOptions {
  /** Data by SDK key. A key that is not named is answered with 401. */
  readonly environments?: Readonly<Record<string, FakeData>>;
  /** The goals of browsers by environment ID, as JSON text. */
  readonly goals?: Readonly<Record<string, string>>;
}

/** A stand-in for the upstream service: a real HTTP server that speaks the real protocol and does what a test tells it. */
export interface FakeUpstream {
  /** The address, such as `http://127.0.0.1:41234`; goes into all four roles of `RelayOptions.upstream`. */
  readonly url: string;
  /** All four roles at once, ready for `RelayOptions.upstream`. */
  readonly roles: {
    readonly stream: string;
    readonly app: string;
    readonly events: string;
  };
  /** The environment behind an SDK key and a payload filter, to change its data or break its streams. */
  environment(sdkKey: string, filter?: string): FakeEnvironment;
  /** The automatic configuration behind a key. A key that was never asked for here is answered with 401. */
  autoConfig(key: string): FakeAutoConfig;
  /** How event posts are answered from now on. */
  answerEvents(answer: FakeAnswer): void;
  /** What was posted since the last call; waits until there are at least `count` posts. */
  takePosts(count?: number): Promise<ReceivedPost[]>;
  /** The stream requests so far, refused ones included. */
  readonly streamRequests: readonly ReceivedRequest[];
  /** The requests for goals so far. */
  readonly goalsRequests: readonly ReceivedRequest[];
  /** Ends all connections and stops listening. */
  close(): Promise<void>;
}

/** Starts a stand-in on a free port of this machine; `port` starts it again where it was. */
export async function createFakeUpstream(
  { environments = {}, goals = {} }: FakeUpstreamOptions = {},
  port = 0,
): Promise<FakeUpstream> {
  const known = new Map<string, FakeEnvironment>();
  const configurations = new Map<string, FakeAutoConfig>();
  const posts = createPostBox();
  const streamRequests: ReceivedRequest[] = [];
  const goalsRequests: ReceivedRequest[] = [];
  const nameOf = (sdkKey: string, filter: string | undefined) => JSON.stringify([sdkKey, filter ?? ""]);

  function environment(sdkKey: string, filter?: string): FakeEnvironment {
    const name = nameOf(sdkKey, filter);
    const found = known.get(name) ?? createFakeEnvironment();
    known.set(name, found);
    return found;
  }
  for (const [sdkKey, data] of Object.entries(environments)) environment(sdkKey).setData(data);

  function autoConfig(key: string): FakeAutoConfig {
    const found = configurations.get(key) ?? createFakeAutoConfig();
    configurations.set(key, found);
    return found;
  }

  function handle(req: IncomingMessage, res: ServerResponse): void {
    const url = new URL(req.url ?? "/", "http://upstream");
    const received = describeRequest(req);
    if (url.pathname === "/all") {
      streamRequests.push(received);
      const filter = url.searchParams.get("filter") ?? undefined;
      const target = known.get(nameOf(req.headers.authorization ?? "", filter));
      if (target === undefined) res.writeHead(401).end();
      else target.handle(res);
    } else if (url.pathname === "/relay_auto_config") {
      streamRequests.push(received);
      const target = configurations.get(req.headers.authorization ?? "");
      if (target === undefined) res.writeHead(401).end();
      else target.handle(res);
    } else if (url.pathname.startsWith("/sdk/goals/")) {
      goalsRequests.push(received);
      answerGoals(req, res, goals[url.pathname.slice("/sdk/goals/".length)]);
    } else if (req.method === "POST") {
      posts.take(received, req, res);
    } else {
      res.writeHead(404).end();
    }
  }

  // A connection that is closed when the machine stood still for seconds may just be carrying a post.
  const server = createServer({ keepAliveTimeout: 0 }, handle);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${portOf(server)}`;
  return {
    url,
    roles: { stream: url, app: url, events: url },
    environment,
    autoConfig,
    answerEvents: posts.answer,
    takePosts: posts.read,
    streamRequests,
    goalsRequests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function describeRequest(req: IncomingMessage): ReceivedRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(req.headers)) headers[name] = String(value);
  return { method: req.method ?? "", path: req.url ?? "", headers };
}

function answerGoals(req: IncomingMessage, res: ServerResponse, text: string | undefined): void {
  const headers = {
    "access-control-allow-origin": "https://upstream.example",
    "cache-control": "public, max-age=10",
    etag: '"g1"',
  };
  if (text === undefined)
    res.writeHead(404, { "content-type": "application/json" }).end('{"message":"not found"}');
  else if (req.headers["if-none-match"] === headers.etag) res.writeHead(304, headers).end();
  else res.writeHead(200, { ...headers, "content-type": "application/json" }).end(text);
}

/** Collects posts and lets a test wait for them. */
function createPostBox() {
  let answer: FakeAnswer = 202;
  let received: ReceivedPost[] = [];
  let arrived: () => void = () => {};
  return {
    answer(next: FakeAnswer) {
      answer = next;
    },
    take(request: ReceivedRequest, req: IncomingMessage, res: ServerResponse) {
      const chunks: Buffer[] = [];
      req.on("data", (chunk: Buffer) => chunks.push(chunk));
      req.on("end", () => {
        const gzip = req.headers["content-encoding"] === "gzip";
        const bytes = Buffer.concat(chunks);
        received.push({ ...request, gzip, body: jsonOrText((gzip ? gunzipSync(bytes) : bytes).toString()) });
        if (answer === "drop") res.destroy();
        else res.writeHead(answer).end();
        arrived();
      });
    },
    async read(count = 0): Promise<ReceivedPost[]> {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
      const taken = received;
      received = [];
      return taken;
    },
  };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A test may well look at what is not JSON.
    return text;
  }
}
