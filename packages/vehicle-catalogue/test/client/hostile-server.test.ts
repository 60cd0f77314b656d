import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { VehicleClientErrorCode } from "../../src/client/index.js";
import type { Listening } from "../server/listening.js";
import { clientOf, errorOf } from "./client-of.js";
import {
  answer,
  cars,
  documentOf,
  jsonApi,
  rawServer,
  type Scripted,
  scriptedServer,
} from "./scripted-server.js";

let server: Listening;
afterEach(() => server.close());

const whole = JSON.stringify(documentOf(cars(0, 3)));
const html = "<!doctype html><title>502 Bad Gateway</title><h1>nginx</h1>";

describe("a success that is no document is an invalid response, with status and first bytes", () => {
  const bodies: {
    name: string;
    body: string | Buffer;
    headers?: Record<string, string>;
    excerpt?: string;
  }[] = [
    { name: "HTML", body: html, headers: { "content-type": "text/html" }, excerpt: html },
    { name: "HTML that says it is JSON:API", body: html, excerpt: html },
    { name: "nothing", body: "", excerpt: "" },
    { name: "blanks", body: " \n ", excerpt: " \n " },
    { name: "null", body: "null" },
    { name: "a text", body: '"data"' },
    { name: "a list", body: "[]" },
    { name: "an object without data", body: "{}" },
    { name: "meta alone", body: '{"meta":{"overall_count":3}}' },
    { name: "a single resource", body: '{"data":{"type":"car","id":"1"}}' },
    { name: "data that is null", body: '{"data":null}' },
    { name: "a resource without an id", body: '{"data":[{"type":"car"}]}' },
    { name: "a resource whose id is a number", body: '{"data":[{"type":"car","id":1}]}' },
    { name: "a resource that is null", body: '{"data":[null]}' },
    { name: "an included resource without a type", body: '{"data":[],"included":[{"id":"1"}]}' },
    { name: "included that is no list", body: '{"data":[],"included":{"1":{}}}' },
  ];
  for (const { name, body, headers, excerpt } of bodies) {
    test(name, async () => {
      server = await scriptedServer((_, response) => answer(response, body, { headers: headers ?? {} }));
      const error = await errorOf(clientOf(server.origin).client.page());
      expect(error).toMatchObject({ code: "invalid_response", status: 200, attempts: 1, retryable: false });
      expect(error.excerpt).toBe(excerpt ?? body.slice(0, 200));
      expect(error.message.length).toBeLessThan(500);
    });
  }

  for (const { name, body } of [
    { name: "cut in the middle", body: whole.slice(0, -5) },
    { name: "two documents", body: whole + whole },
    { name: "nested without end", body: `{"data":${"[".repeat(200_000)}` },
  ]) {
    test(`JSON that is ${name} looks as if it was cut off, and is asked for again`, async () => {
      server = await scriptedServer((_, response) => answer(response, body));
      const error = await errorOf(clientOf(server.origin).client.page());
      expect(error).toMatchObject({ code: "invalid_response", status: 200, attempts: 4, retryable: true });
      expect(error.excerpt).toBe(body.slice(0, 200));
    });
  }

  test("an error document with status 200: its errors are read", async () => {
    server = await scriptedServer((_, response) => answer(response, { errors: [{ title: "odd" }] }));
    const error = await errorOf(clientOf(server.origin).client.page());
    expect(error).toMatchObject({ code: "invalid_response", status: 200, errors: [{ title: "odd" }] });
  });

  test("204 without a body, and 304 that nobody asked for", async () => {
    server = await scriptedServer((_, response, index) => {
      response.writeHead(index === 0 ? 204 : 304).end();
    });
    const { client } = clientOf(server.origin);
    expect(await errorOf(client.page())).toMatchObject({
      code: "invalid_response",
      status: 204,
      excerpt: "",
    });
    expect(await errorOf(client.page())).toMatchObject({ code: "invalid_response", status: 304 });
  });

  test("bytes that are no UTF-8", async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"data":[],"x":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    server = await scriptedServer((_, response) => answer(response, bytes));
    const error = await errorOf(clientOf(server.origin, { retry: false }).client.page());
    expect(error).toMatchObject({ code: "invalid_response", status: 200, cause: { name: "TypeError" } });
    expect(error.message).toContain(`: 200: broken off: ${(error.cause as Error).message}`);
  });

  test("a body larger than maxBodyBytes is left alone once it is too large", async () => {
    let sent = 0;
    let closed = (): void => {};
    const dropped = new Promise<void>((resolve) => {
      closed = resolve;
    });
    server = await scriptedServer((request, response) => {
      request.socket.on("close", closed);
      const chunk = Buffer.alloc(64 * 1024, 0x20);
      const send = (): void => {
        sent += chunk.length;
        if (response.write(chunk)) setImmediate(send);
        else response.once("drain", send);
      };
      response.on("close", () => response.removeAllListeners("drain"));
      send();
    });
    const error = await errorOf(clientOf(server.origin, { maxBodyBytes: 1_000_000 }).client.page());
    expect(error).toMatchObject({ code: "invalid_response", status: 200, attempts: 1 });
    expect(error.message).toContain("maxBodyBytes");
    await dropped;
    expect(sent).toBeLessThan(50_000_000);
  });

  test("a small body that unpacks to a huge one is no better", async () => {
    const bomb = gzipSync(Buffer.alloc(30_000_000, 0x20));
    server = await scriptedServer((_, response) =>
      answer(response, bomb, { headers: { "content-encoding": "gzip" } }),
    );
    const error = await errorOf(clientOf(server.origin).client.page());
    expect(error.message).toContain("maxBodyBytes");
  });
});

describe("a body that breaks off is asked for again, and in the end an invalid response", () => {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: ${jsonApi}\r\nconnection: close\r\n`;
  const bodies = [
    {
      name: "less than its length says, closed",
      bytes: `${head}content-length: 900\r\n\r\n${whole}`,
      end: "close",
    },
    {
      name: "less than its length says, cut",
      bytes: `${head}content-length: 900\r\n\r\n${whole}`,
      end: "hold",
    },
    {
      name: "chunks without an end",
      bytes: `${head}transfer-encoding: chunked\r\n\r\n5\r\n{"dat\r\n`,
      end: "close",
    },
    {
      name: "a chunk whose size is nonsense",
      bytes: `${head}transfer-encoding: chunked\r\n\r\n5\r\n{"dat\r\nzz\r\n`,
      end: "close",
    },
    {
      name: "gzip that is none",
      bytes: `${head}content-encoding: gzip\r\ncontent-length: 9\r\n\r\nnot gzip!`,
      end: "close",
    },
  ] as const;
  for (const { name, bytes, end } of bodies) {
    test(name, async () => {
      const raw = await rawServer(bytes, end);
      server = raw;
      // Cut only now: what comes before the head is read would be a network failure.
      const hooks = { response: () => (end === "hold" ? raw.cut() : undefined) };
      const { client, retries } = clientOf(server.origin, { hooks });
      const error = await errorOf(client.page());
      expect(error).toMatchObject({ code: "invalid_response", status: 200, attempts: 4, retryable: true });
      expect(error.excerpt).toBe(whole.slice(0, error.excerpt!.length));
      expect(retries).toHaveLength(3);
    });
  }

  test("gzip that is cut short", async () => {
    const packed = gzipSync(JSON.stringify(documentOf(cars(0, 100)))).subarray(0, 200);
    server = await scriptedServer((_, response) =>
      answer(response, packed, { headers: { "content-encoding": "gzip" } }),
    );
    const error = await errorOf(clientOf(server.origin).client.page());
    expect(error).toMatchObject({ code: "invalid_response", status: 200 });
  });

  test("the next attempt may bring it whole", async () => {
    server = await scriptedServer((_, response, index) => {
      response.writeHead(200, { "content-length": whole.length });
      if (index === 0) response.write(whole.slice(0, 20), () => response.destroy());
      else response.end(whole);
    });
    const { client, retries } = clientOf(server.origin);
    expect((await client.page()).vehicles).toHaveLength(3);
    expect(retries.map(({ error }) => error.code)).toEqual(["invalid_response"]);
  });
});

describe("a connection that gives no response is a network failure", () => {
  const heads = [
    { name: "closed at once", bytes: "", end: "close" },
    { name: "cut at once", bytes: "", end: "cut" },
    { name: "no HTTP", bytes: "SSH-2.0-OpenSSH_9.6\r\n", end: "close" },
    { name: "half a head", bytes: "HTTP/1.1 200 OK\r\ncontent-ty", end: "close" },
    { name: "a head of 100 kB", bytes: `HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}\r\n\r\n`, end: "close" },
  ] as const;
  for (const { name, bytes, end } of heads) {
    test(name, async () => {
      server = await rawServer(bytes, end);
      const error = await errorOf(clientOf(server.origin).client.brands());
      expect(error).toMatchObject({ code: "network", status: undefined, attempts: 4, retryable: true });
      expect(error.cause).toBeInstanceOf(Error);
    });
  }

  test("nobody listens", async () => {
    server = await scriptedServer(() => {});
    await server.close();
    const error = await errorOf(clientOf(server.origin).client.page());
    expect(error).toMatchObject({ code: "network", attempts: 4 });
    expect(error.message).toContain("ECONNREFUSED");
  });
});

describe("a status that is no success has its code, whatever the body", () => {
  const codes: [number, VehicleClientErrorCode, attempts: number][] = [
    [400, "bad_request", 1],
    [401, "forbidden", 1],
    [403, "forbidden", 1],
    [404, "not_found", 1],
    [405, "bad_request", 1],
    [406, "bad_request", 1],
    [410, "not_found", 1],
    [414, "bad_request", 1],
    [429, "rate_limited", 4],
    [431, "bad_request", 1],
    [500, "server_error", 1],
    [501, "server_error", 1],
    [502, "server_error", 4],
    [503, "server_error", 4],
    [504, "server_error", 4],
    [505, "server_error", 1],
    [599, "server_error", 1],
  ];
  for (const [status, code, attempts] of codes) {
    test(`${status} is ${code}, after ${attempts} of 4 attempts`, async () => {
      const bodies = [{ errors: [{ status: `${status}`, code: "X", title: "from the API" }] }, html, ""];
      server = await scriptedServer((request, response) => {
        answer(response, bodies[Number(new URL(request.url!, "http://x").searchParams.get("q"))], { status });
      });
      const { client } = clientOf(server.origin);
      const documented = await errorOf(client.search("0"));
      expect(documented).toMatchObject({ code, status, attempts, excerpt: undefined });
      expect(documented.message).toContain("from the API");
      const gateway = await errorOf(client.search("1"));
      expect(gateway).toMatchObject({ code, status, attempts, excerpt: html, errors: [] });
      expect(await errorOf(client.search("2"))).toMatchObject({ code, status, excerpt: "", errors: [] });
    });
  }

  test("error documents with odd members are read as far as they can be", async () => {
    const odd = [
      {
        status: 422,
        code: 7,
        title: null,
        detail: ["x"],
        source: "q",
        meta: 1,
        links: {},
        id: "e1",
        extra: 1,
      },
      null,
      "text",
      { title: "kept", source: { parameter: "q", pointer: 3, other: "x" }, meta: { page: { maxSize: 100 } } },
      JSON.parse('{"__proto__": {"polluted": true}, "detail": "proto", "constructor": "x"}'),
      {},
    ];
    server = await scriptedServer((_, response) => answer(response, { errors: odd }, { status: 400 }));
    const error = await errorOf(clientOf(server.origin).client.page());
    expect(error.errors).toEqual([
      { status: "422", code: "7" },
      { title: "kept", source: { parameter: "q", pointer: "3" }, meta: { page: { maxSize: 100 } } },
      { detail: "proto" },
      {},
    ]);
    expect({}).not.toHaveProperty("polluted");
  });

  for (const errors of [{}, null, "x", 1]) {
    test(`errors that are no list: ${JSON.stringify(errors)}`, async () => {
      server = await scriptedServer((_, response) => answer(response, { errors }, { status: 400 }));
      const error = await errorOf(clientOf(server.origin).client.page());
      expect(error).toMatchObject({ code: "bad_request", errors: [], excerpt: JSON.stringify({ errors }) });
    });
  }

  test("a long URL and long words do not make a long message, and are whole in the error", async () => {
    const errors = Array.from({ length: 500 }, () => ({ detail: "x".repeat(100) }));
    server = await scriptedServer((_, response) => answer(response, { errors }, { status: 400 }));
    const error = await errorOf(clientOf(server.origin).client.search("y".repeat(5000)));
    expect(error.message.length).toBeLessThan(500);
    expect(error.url.length).toBeGreaterThan(5000);
    expect(error.errors).toHaveLength(500);
  });

  test("where an error lies is told, with all that JSON:API has for that, and nothing else", async () => {
    const source = { parameter: "p", header: "x-api-key", pointer: "/data", other: "o" };
    server = await scriptedServer((_, response) =>
      answer(response, { errors: [{ source }] }, { status: 400 }),
    );
    expect((await errorOf(clientOf(server.origin).client.page())).errors).toEqual([
      { source: { parameter: "p", header: "x-api-key", pointer: "/data" } },
    ]);
  });

  test("a body that is no document is shown in one line, as JSON writes it", async () => {
    server = await scriptedServer((_, response) => answer(response, 'a "b"\nc', { status: 500 }));
    expect((await errorOf(clientOf(server.origin).client.page())).message).toMatch(/: 500: "a \\"b\\"\\nc"$/);
  });

  test("the request id is told", async () => {
    server = await scriptedServer((_, response) =>
      answer(response, {}, { status: 500, headers: { "x-request-id": "r-17" } }),
    );
    expect((await errorOf(clientOf(server.origin).client.page())).requestId).toBe("r-17");
  });
});

describe("redirects are not followed, for the key would go along", () => {
  for (const status of [301, 302, 303, 307, 308]) {
    test(`${status} to another origin`, async () => {
      const elsewhere = await scriptedServer((_, response) => answer(response, documentOf([])));
      server = await scriptedServer((_, response) => {
        response.writeHead(status, { location: `${elsewhere.origin}/v2/vehicles` }).end("moved");
      });
      const error = await errorOf(clientOf(server.origin).client.page());
      await elsewhere.close();
      expect(error).toMatchObject({ code: "redirected", status, attempts: 1, retryable: false });
      expect(error.message).toContain(elsewhere.origin);
      expect(elsewhere.requests).toHaveLength(0);
    });
  }

  test("not even to the same origin, and without a target", async () => {
    server = await scriptedServer((_, response) => void response.writeHead(301).end());
    expect(await errorOf(clientOf(server.origin).client.page())).toMatchObject({ code: "redirected" });
    expect((server as Scripted).requests).toHaveLength(1);
  });

  test("what a browser shows of one, a response with status 0, is told apart", async () => {
    server = await scriptedServer(() => {});
    const { client } = clientOf(server.origin, { fetch: async () => Response.error() });
    expect(await errorOf(client.page())).toMatchObject({ code: "redirected", status: 0, attempts: 1 });
  });
});

describe("what is odd but usable is used", () => {
  const types = ["text/html", "application/json; charset=utf-8", `${jsonApi}; charset=utf-8`, "", "nonsense"];
  for (const type of types) {
    test(`a document labelled “${type}”`, async () => {
      server = await scriptedServer((_, response) => {
        response.writeHead(200, type ? { "content-type": type } : {}).end(whole);
      });
      expect((await clientOf(server.origin).client.page()).vehicles).toHaveLength(3);
    });
  }

  test("a byte order mark, blanks around, and letters split between chunks", async () => {
    const bytes = Buffer.from(`\uFEFF \n${JSON.stringify(documentOf([{ type: "car", id: "ë€🚗" }]))}\n`);
    server = await scriptedServer((_, response) => {
      response.writeHead(200);
      const send = (at: number): void => {
        if (at === bytes.length) response.end();
        else response.write(bytes.subarray(at, at + 1), () => setImmediate(send, at + 1));
      };
      send(0);
    });
    expect((await clientOf(server.origin).client.page()).vehicles[0]).toEqual({
      id: "ë€🚗",
      type: "car",
      manufacturer: null,
    });
  });

  test("members called __proto__ and constructor are data", async () => {
    const text = `{"data":[{"type":"car","id":"1","__proto__":{"a":1},"attributes":{"__proto__":{"polluted":true},
      "constructor":"c","id":"other","type":"other","model":"m"},"relationships":{"__proto__":{"manufacturer":{}},
      "manufacturer":{"data":{"type":"__proto__","id":"constructor"}}}}],"included":[{"type":"__proto__",
      "id":"constructor","attributes":{"__proto__":{"polluted":true},"name":"n"}}],"meta":{"__proto__":{"overall_count":9}}}`;
    server = await scriptedServer((_, response) => answer(response, text));
    const { vehicles, overallCount } = await clientOf(server.origin).client.page();
    const vehicle: object = vehicles[0]!;
    expect(Object.keys(vehicle)).toEqual(["id", "type", "__proto__", "constructor", "model", "manufacturer"]);
    expect(Object.getPrototypeOf(vehicle)).toBe(Object.prototype);
    expect(vehicles[0]).toMatchObject({
      id: "1",
      type: "car",
      model: "m",
      manufacturer: { id: "constructor", name: "n" },
    });
    expect(overallCount).toBeUndefined();
    expect({}).not.toHaveProperty("polluted");
  });
});
