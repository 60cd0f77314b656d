import http from "node:http";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { answerMalformedRequest } from "../../src/server/index.js";
import { ask, fullKey, type Listening, listening, openRouter } from "./listening.js";

interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Splits what came over a connection into responses, by their Content-Length. */
function splitAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) throw new Error(`no end of headers in ${JSON.stringify(rest.toString().slice(0, 200))}`);
    const headers = rest.subarray(0, end).toString();
    const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0);
    const from = end + 4;
    answers.push({
      status: Number(headers.split(" ")[1]),
      headers,
      body: rest.subarray(from, from + length).toString(),
    });
    rest = rest.subarray(from + length);
  }
  return answers;
}

/** Writes bytes as they are, in the given pieces, and reads until the server closes the connection. */
function send(port: number, pieces: readonly string[], pauseMs = 0): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = net.connect(port, "127.0.0.1", () => {
      const writeNext = (at: number): void => {
        if (at >= pieces.length || socket.destroyed) return;
        socket.write(pieces[at] ?? "");
        setTimeout(() => writeNext(at + 1), pauseMs);
      };
      writeNext(0);
    });
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => {
      try {
        resolve(splitAnswers(Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    });
  });
}

async function serving(options: http.ServerOptions): Promise<Listening> {
  const bare = http.createServer(options, openRouter().node);
  bare.on("clientError", answerMalformedRequest);
  return listening(bare);
}

describe("raw sockets", () => {
  let server: Listening;
  beforeAll(async () => {
    server = await serving({});
  });
  afterAll(() => server.close());
  const head = (target: string, more = ""): string =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nAPI-Key: ${fullKey}\r\n${more}`;
  const once = (target: string, more = ""): string => `${head(target, more)}Connection: close\r\n\r\n`;

  const malformed = [
    { name: "no HTTP at all", text: "hello\r\n\r\n", status: 400 },
    { name: "a broken request line", text: "GET  HTTP/1.1\r\n\r\n", status: 400 },
    { name: "an unknown method", text: "FOO /v2/vehicles HTTP/1.1\r\nHost: x\r\n\r\n", status: 400 },
    {
      name: "a blank in the target",
      text: "GET /v2/vehicles?q=a b HTTP/1.1\r\nHost: x\r\n\r\n",
      status: 400,
    },
    { name: "a header without a colon", text: "GET /v2/vehicles HTTP/1.1\r\nHost x\r\n\r\n", status: 400 },
    {
      name: "a NUL in a header",
      text: "GET /v2/vehicles HTTP/1.1\r\nHost: x\r\nA: \u0000\r\n\r\n",
      status: 400,
    },
    {
      name: "two lengths",
      text: "GET /v2/vehicles HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      status: 400,
    },
    {
      name: "a length and chunks",
      text: "GET /v2/vehicles HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      status: 400,
    },
    { name: "a TLS greeting", text: "\u0016\u0003\u0001\u0002\u0000\u0001", status: 400 },
    {
      name: "headers beyond the limit of Node",
      text: `GET /v2/vehicles HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`,
      status: 431,
    },
    {
      name: "a request line beyond the limit of Node",
      text: `GET /v2/vehicles?q=${"a".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      status: 431,
    },
  ];
  for (const { name, text, status } of malformed) {
    test(`${name} is ${status} with an error document`, async () => {
      const [answer] = await send(server.port, [text]);
      expect(answer?.status).toBe(status);
      expect(answer?.headers).toMatch(/content-type: application\/vnd\.api\+json\r\n/i);
      expect(JSON.parse(answer?.body ?? "").errors[0].status).toBe(String(status));
    });
  }

  test("half a request line and then silence is 408", async () => {
    const impatient = await serving({
      headersTimeout: 200,
      requestTimeout: 300,
      connectionsCheckingInterval: 50,
    });
    onTestFinished(() => impatient.close());
    const [answer] = await send(impatient.port, ["GET /v2/veh"]);
    expect([answer?.status, JSON.parse(answer?.body ?? "").errors[0].code]).toEqual([408, "REQUEST_TIMEOUT"]);
  });

  test("a client that writes its request byte by byte is served", async () => {
    const [answer] = await send(server.port, [...once("/v2/vehicles?page[size]=1")], 1);
    expect([answer?.status, JSON.parse(answer?.body ?? "").data.length]).toEqual([200, 1]);
  });

  test("requests in one go are answered in their order", async () => {
    const targets = [
      ["/v2/vehicles?page[size]=1", 200],
      ["/nowhere", 404],
      ["/v2/vehicles?page[size]=0", 400],
      ["/v2/vehicle_brands", 200],
      ["/v2/vehicles?q=id3", 200],
    ] as const;
    const text =
      targets.map(([target]) => `${head(target)}\r\n`).join("") + once("/v2/vehicles?page[size]=2");
    const answers = await send(server.port, [text]);
    expect(answers.map(({ status }) => status)).toEqual([...targets.map(([, status]) => status), 200]);
    expect(JSON.parse(answers.at(-1)?.body ?? "").data).toHaveLength(2);
  });

  test("a good request and then nonsense: the good one is answered first", async () => {
    const [good, bad] = await send(
      server.port,
      [`${head("/v2/vehicles?page[size]=1")}\r\n`, "nonsense\r\n\r\n"],
      100,
    );
    expect([good?.status, bad?.status]).toEqual([200, 400]);
  });

  const targets = [
    { name: "a whole URL", target: "http://example.org/v2/vehicles?page[size]=1", status: 200 },
    { name: "a whole URL of another scheme", target: "https://example.org:8443/v2/vehicles", status: 200 },
    { name: "a whole URL without a path", target: "http://example.org", status: 404 },
    { name: "a fragment", target: "/v2/vehicles?page[size]=1#x?y", status: 200 },
    { name: "two slashes", target: "//v2/vehicles", status: 404 },
    { name: "dot segments", target: "/v2/../v2/vehicles", status: 404 },
    { name: "an escaped path", target: "/v2/%76ehicles", status: 404 },
    { name: "a backslash", target: "/v2\\vehicles", status: 404 },
    { name: "an asterisk", target: "*", status: 404 },
    { name: "several question marks", target: "/v2/vehicles?q=a?b?c", status: 200 },
    { name: "bytes beyond ASCII, which Node refuses", target: "/v2/vehicles?q=\u00ff\u00fe", status: 400 },
    { name: "a query that is only ampersands", target: "/v2/vehicles?&&&", status: 200 },
    { name: "an empty query", target: "/v2/vehicles?", status: 200 },
  ];
  for (const { name, target, status } of targets) {
    test(`${name} in the request line is ${status}`, async () => {
      const [answer] = await send(server.port, [once(target)]);
      expect(answer?.status).toBe(status);
      expect(JSON.parse(answer?.body ?? "")).toEqual(expect.any(Object));
    });
  }

  const duplicates = [
    { name: "two keys", more: "API-Key: other\r\n", status: 403 },
    { name: "the same key twice", more: `API-Key: ${fullKey}\r\n`, status: 403 },
    { name: "two Accept headers", more: "Accept: text/html\r\nAccept: application/json\r\n", status: 200 },
    {
      name: "two Accept headers that admit nothing",
      more: "Accept: text/html\r\nAccept: image/png\r\n",
      status: 406,
    },
    { name: "two If-None-Match headers", more: 'If-None-Match: "a"\r\nIf-None-Match: "b"\r\n', status: 200 },
    {
      name: "two Content-Types, of which the first counts",
      more: "Content-Type: text/plain\r\nContent-Type: application/vnd.api+json;a=b\r\n",
      status: 200,
    },
    {
      name: "headers named like members of objects",
      more: "__proto__: a\r\nconstructor: b\r\ntoString: c\r\n",
      status: 200,
    },
    {
      name: "hundreds of headers",
      more: Array.from({ length: 300 }, (_, at) => `X-${at}: ${at}\r\n`).join(""),
      status: 200,
    },
  ];
  for (const { name, more, status } of duplicates) {
    test(`${name}: ${status}`, async () => {
      const [answer] = await send(server.port, [once("/v2/vehicles?page[size]=1", more)]);
      expect(answer?.status).toBe(status);
    });
  }

  test("HTTP/1.0 is served and closed", async () => {
    const [answer] = await send(server.port, [
      `GET /v2/vehicles?page[size]=1 HTTP/1.0\r\nAPI-Key: ${fullKey}\r\n\r\n`,
    ]);
    expect(answer?.status).toBe(200);
  });

  test("a GET with a body is answered and the connection stays in step", async () => {
    const text = `${head("/v2/vehicles?page[size]=1", "Content-Length: 5\r\n")}\r\nhello${once("/v2/vehicle_brands")}`;
    const answers = await send(server.port, [text]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("clients that go away in the middle of an answer do no harm", async () => {
    const leaving = Array.from(
      { length: 20 },
      () =>
        new Promise<void>((resolve) => {
          const socket = net.connect(server.port, "127.0.0.1", () => {
            socket.write(`${head("/v2/vehicles", "Accept-Encoding: br\r\n")}\r\n`);
            socket.once("data", () => socket.destroy());
          });
          socket.on("close", () => resolve());
        }),
    );
    await Promise.all(leaving);
    expect((await ask(server.origin, "/v2/vehicles")).status).toBe(200);
  });

  test("a client that does not read is sent no more than the connection holds", async () => {
    const socket = net.connect(server.port, "127.0.0.1");
    socket.pause();
    socket.write(`${head("/v2/vehicles")}\r\n`.repeat(50));
    expect((await ask(server.origin, "/v2/vehicles")).status).toBe(200);
    socket.destroy();
  });
});
