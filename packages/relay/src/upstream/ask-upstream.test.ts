import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { Readable } from "node:stream";
import { Agent } from "undici";
import { expect, onTestFinished, test } from "vitest";
import type { UpstreamDispatcher, UpstreamRequest } from "../options/resolved-sections.js";
import { readLimited } from "../sources/read-limited.js";
import { askUpstream } from "./ask-upstream.js";
import { UpstreamConnections } from "./upstream-connections.js";

/** Listens until the test ends; gives the address and the open connections. */
async function listen(server: Server): Promise<{ url: string; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

const serving = (answer: RequestListener) => listen(createHttpServer(answer));
/** A server that says the same to every connection, whatever is asked. */
const saying = (text: string) =>
  listen(createServer((socket) => socket.once("data", () => socket.write(text))));

function connections(connectMs = 60_000): UpstreamConnections {
  const all = new UpstreamConnections(connectMs);
  onTestFinished(() => all.close());
  return all;
}

const never = () => new AbortController().signal;
const question = (more: Partial<UpstreamRequest> = {}): Omit<UpstreamRequest, "origin" | "path"> => ({
  method: "GET",
  headers: {},
  signal: never(),
  headersTimeout: 60_000,
  bodyTimeout: 60_000,
  ...more,
});

async function textOf(dispatcher: UpstreamDispatcher, url: string, more?: Partial<UpstreamRequest>) {
  const { body } = await askUpstream(dispatcher, url, question(more));
  return (await readLimited(body, 1e6)).toString();
}

test("a connection is used again, and only as long as it is good", async () => {
  const { url, sockets } = await serving((_, res) => res.end("x"));
  const dispatcher = connections();
  expect(await textOf(dispatcher, url)).toBe("x");
  expect(await textOf(dispatcher, url)).toBe("x");
  expect(sockets.size).toBe(1);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => textOf(dispatcher, url).catch(() => ""), { interval: 5 }).toBe("x");
});

test("a post is sent as it is, with its length", async () => {
  const { url } = await serving((req, res) => {
    req.on("data", (chunk) => res.write(chunk)).on("end", () => res.end(req.headers["content-length"]));
  });
  expect(await textOf(connections(), url, { method: "POST", body: Buffer.from("[1]") })).toBe("[1]3");
});

test.each([
  ["a head that does not come", "", { headersTimeout: 20 }, "no answer within 20 ms"],
  ["a head that stays half", "HTTP/1.1 200 OK\r\nx: ", { headersTimeout: 20 }, "no answer within 20 ms"],
  [
    "a body that stops",
    "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx",
    { bodyTimeout: 20 },
    "silent for 20 ms",
  ],
])("%s is waited for no longer than asked", async (_, text, limit, message) => {
  const { url, sockets } = await saying(text);
  await expect(textOf(connections(), url, limit)).rejects.toThrow(message);
  await expect.poll(() => sockets.size, { interval: 5 }).toBe(0);
});

test.each([
  ["no HTTP", "hello\r\n\r\n", /Parse Error/],
  [
    "another protocol",
    "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
    /closed the connection/,
  ],
])("%s is an error, and leaves nothing", async (_, text, message) => {
  const { url, sockets } = await saying(text);
  await expect(textOf(connections(), url)).rejects.toThrow(message);
  await expect.poll(() => sockets.size, { interval: 5 }).toBe(0);
});

test.each([
  ["ended", (socket: Socket) => void socket.end()],
  ["reset", (socket: Socket) => void socket.resetAndDestroy()],
])("kept connections that upstream has %s meanwhile are no failure of a question", async (_, leave) => {
  let left = 0;
  const { url } = await listen(
    createServer((socket) => {
      let count = 0;
      socket.on("data", () => {
        if (count++ === 0) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx");
        else {
          left++;
          leave(socket);
        }
      });
    }),
  );
  const dispatcher = connections();
  for (let round = 0; round < 3; round++) {
    const questions = Array.from({ length: 4 }, () => textOf(dispatcher, url));
    expect(await Promise.all(questions)).toEqual(["x", "x", "x", "x"]);
  }
  expect(left).toBeGreaterThanOrEqual(4);
});

test("what is posted is not posted again, as it may have been taken", async () => {
  let posts = 0;
  const { url } = await listen(
    createServer((socket) => {
      socket.on("data", (data) => {
        if (String(data).startsWith("GET")) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx");
        else {
          posts++;
          socket.end();
        }
      });
    }),
  );
  const dispatcher = connections();
  await textOf(dispatcher, url);
  await expect(textOf(dispatcher, url, { method: "POST", body: Buffer.from("[1]") })).rejects.toThrow();
  expect(posts).toBe(1);
});

test("what breaks off in the middle is an error", async () => {
  const { url } = await serving((_, res) => {
    res.writeHead(200, { "content-length": 5 }).write("x");
    setImmediate(() => res.destroy());
  });
  await expect(textOf(connections(), url)).rejects.toThrow();
});

test.each([
  ["before the head", (_: Socket) => {}],
  ["in the body", (socket: Socket) => socket.write("HTTP/1.1 200 OK\r\n\r\nx")],
])("ended %s by its signal, a request fails with the reason and its connection goes", async (_, answer) => {
  const controller = new AbortController();
  const reason = new Error("enough");
  const server = createServer((socket) => {
    socket.once("data", () => {
      answer(socket);
      setImmediate(() => controller.abort(reason));
    });
  });
  const { url, sockets } = await listen(server);
  await expect(textOf(connections(), url, { signal: controller.signal })).rejects.toBe(reason);
  await expect.poll(() => sockets.size, { interval: 5 }).toBe(0);
});

test("with a signal that is aborted nobody is asked", async () => {
  const reason = new Error("enough");
  const { url, sockets } = await serving((_, res) => res.end());
  await expect(textOf(connections(), url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(sockets.size).toBe(0);
});

test("closing cuts off what is open and refuses what comes later", async () => {
  const { url, sockets } = await saying("HTTP/1.1 200 OK\r\n\r\nx");
  const dispatcher = connections();
  const { body } = await askUpstream(dispatcher, url, question());
  dispatcher.close();
  await expect(readLimited(body, 1e6)).rejects.toThrow();
  await expect(textOf(dispatcher, url)).rejects.toThrow("closed");
  await expect.poll(() => sockets.size, { interval: 5 }).toBe(0);
});

test("an address that nobody answers at is given up", async () => {
  // A queue of connections that is full takes no more: they stay on their way.
  const dispatcher: UpstreamConnections = connections(20);
  const server = createServer();
  server.listen(0, "127.0.0.1", 1);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await expect(textOf(dispatcher, `https://127.0.0.1:${port}`)).rejects.toThrow("no connection within 20 ms");
});

const ways: [string, () => UpstreamDispatcher][] = [
  ["directly", () => connections()],
  [
    "through a dispatcher of undici",
    () => {
      const agent = new Agent();
      onTestFinished(() => agent.destroy());
      return agent;
    },
  ],
];

for (const [way, dispatcher] of ways) {
  test(`${way}: redirects are followed, posts stay posts, and keys do not go to another origin`, async () => {
    const seen: string[] = [];
    const last = await serving((req, res) => {
      seen.push(`${req.method} ${req.url} ${req.headers.authorization ?? "-"}`);
      res.end("here");
    });
    const first = await serving((req, res) => {
      seen.push(`${req.method} ${req.url} ${req.headers.authorization ?? "-"}`);
      const location = req.url === "/a?b" ? "/c" : `${last.url}/d`;
      res.writeHead(req.url === "/a?b" ? 301 : 308, { location }).end("x".repeat(100_000));
    });
    const post = { method: "POST", body: Buffer.from("[1]") } as const;
    expect(await textOf(dispatcher(), `${first.url}/a?b`, { ...post, headers: { other: "o" } })).toBe("here");
    expect(seen.splice(0)).toEqual(["POST /a?b -", "POST /c -", "POST /d -"]);
    const withKey = { ...post, headers: { Authorization: "sdk-1" } };
    await expect(textOf(dispatcher(), `${first.url}/a?b`, withKey)).rejects.toThrow(
      `${first.url} sends to ${last.url}, where keys do not go along`,
    );
    expect(seen).toEqual(["POST /a?b sdk-1", "POST /c sdk-1"]);
  });

  test.each([
    ["no location", 302, {}],
    ["a location that is none", 302, { location: "http://" }],
    ["a location of another kind", 307, { location: "ftp://127.0.0.1/" }],
    ["a post that was taken", 303, { location: "/x" }],
  ])(`${way}: %s is the answer`, async (_, status, headers) => {
    let asked = 0;
    const { url } = await serving((__, res) => {
      asked++;
      res.writeHead(status, headers).end("here");
    });
    const answer = await askUpstream(dispatcher(), url, question({ method: "POST" }));
    expect([answer.statusCode, asked]).toEqual([status, 1]);
    expect((await readLimited(answer.body, 100)).toString()).toBe("here");
  });
}

/** A dispatcher that gives these answers, the last one for ever, and notes what it was asked. */
function answering(...answers: readonly { status: number; location?: string | string[] }[]) {
  const asked: string[] = [];
  const bodies: Readable[] = [];
  const dispatcher: UpstreamDispatcher = {
    async request({ method, origin, path }) {
      const { status, location } = answers[Math.min(asked.length, answers.length - 1)] ?? { status: 500 };
      asked.push(`${method} ${origin}${path}`);
      const body = Readable.from(["x"]);
      bodies.push(body);
      return { statusCode: status, headers: { location }, body };
    },
  };
  return { asked, bodies, dispatcher };
}

test.each([301, 302, 307, 308])("%i leads on, to an address below the one that was asked", async (status) => {
  const locations = ["b?c=d#e", "/f", "//other/g", "http://third:81/h"];
  const { asked, bodies, dispatcher } = answering(...locations.map((location) => ({ status, location })), {
    status: 200,
  });
  const answer = await askUpstream(dispatcher, "https://one/x/a?b#c", question());
  expect(asked).toEqual([
    "GET https://one/x/a?b",
    "GET https://one/x/b?c=d",
    "GET https://one/f",
    "GET https://other/g",
    "GET http://third:81/h",
  ]);
  expect(answer.body).toBe(bodies.at(-1));
  // What nobody reads lets go of its connection.
  await expect.poll(() => bodies.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true, false]);
});

test("after five redirects the sixth is the answer", async () => {
  const { asked, dispatcher } = answering({ status: 302, location: "/again" });
  const { statusCode } = await askUpstream(dispatcher, "http://one/a", question());
  expect([statusCode, asked.length]).toEqual([302, 6]);
});

test.each([200, 300, 303, 304, 305, 306, 404])(
  "%i leads nowhere, with whichever location",
  async (status) => {
    const { asked, dispatcher } = answering({ status, location: "/b" }, { status: 200 });
    const { statusCode } = await askUpstream(dispatcher, "http://one/a", question());
    expect([statusCode, asked.length]).toEqual([status, 1]);
  },
);

test.each([[["/b"]], [undefined], ["http://"], ["ftp://one/a"], ["xhttp://one/a"], ["https+x://one/a"]])(
  "the location %j is none",
  async (location) => {
    const { asked, dispatcher } = answering(
      { status: 301, ...(location === undefined ? {} : { location }) },
      { status: 200 },
    );
    const { statusCode } = await askUpstream(dispatcher, "http://one/a", question());
    expect([statusCode, asked.length]).toEqual([301, 1]);
  },
);

test.each(["authorization", "Authorization", "AUTHORIZATION"])(
  "a key in %s goes along to the same origin, and to no other one",
  async (name) => {
    const asked = question({ headers: { [name]: "sdk-1" } });
    const same = answering({ status: 301, location: "/b" }, { status: 200 });
    expect(await askUpstream(same.dispatcher, "http://one/a", asked)).toMatchObject({ statusCode: 200 });
    const other = answering({ status: 301, location: "https://one/b" }, { status: 200 });
    await expect(askUpstream(other.dispatcher, "http://one/a", asked)).rejects.toThrow(
      "http://one sends to https://one, where keys do not go along: is that the address to set?",
    );
    expect(other.asked).toHaveLength(1);
    await expect.poll(() => other.bodies[0]?.destroyed).toBe(true);
  },
);
