import http from "node:http";
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { ask, fullKey, listening, openRouter } from "./listening.js";

const page = "/v2/vehicles";

/** What a document must be, byte for byte. */
async function expected(): Promise<Buffer> {
  const headers = new Headers({ "api-key": fullKey });
  const { body } = await openRouter().respond({ method: "GET", url: page, headers });
  return Buffer.from(body);
}

/** Ways in which hosts stand between a handler and the connection. */
const wrappings: Readonly<Record<string, (response: http.ServerResponse) => void>> = {
  "nothing in between": () => {},
  "an end that forgets the encoding"(response) {
    const end = response.end.bind(response);
    response.end = (chunk?: unknown) => end(chunk);
  },
  "a socket whose write forgets the encoding"(response) {
    const { socket } = response;
    const write = socket?.write.bind(socket);
    if (socket !== null && write !== undefined) {
      socket.write = (chunk: string | Uint8Array, given?: unknown, done?: () => void) =>
        write(Buffer.from(chunk as string), typeof given === "function" ? (given as () => void) : done);
    }
  },
  "an end and a write that collect what they are given"(response) {
    const chunks: Buffer[] = [];
    const end = response.end.bind(response);
    response.write = (chunk: string | Uint8Array) => chunks.push(Buffer.from(chunk as string)) > 0;
    response.end = (chunk?: unknown) => {
      if (chunk !== undefined) response.write(chunk as string);
      return end(Buffer.concat(chunks));
    };
  },
};

describe("a document goes out byte for byte, every time, through", () => {
  test.each(Object.entries(wrappings))("%s", async (_name, wrap) => {
    // What is not kept may be sent as text.
    const { node } = openRouter({ cacheBytes: 0 });
    const server = await listening(
      http.createServer((request, response) => {
        wrap(response);
        node(request, response);
      }),
    );
    const document = await expected();
    // Otherwise nothing would depend on the encoding.
    expect(document.toString("latin1")).not.toBe(document.toString("utf8"));
    for (const _time of [1, 2, 3]) {
      const { body } = await ask(server.origin, page);
      expect(body.equals(document)).toBe(true);
    }
    await server.close();
  });

  test("a response without a connection, whose texts are taken for UTF-8", async () => {
    // What is not kept may be sent as text.
    const { node } = openRouter({ cacheBytes: 0 });
    const request = new http.IncomingMessage(undefined as never);
    Object.assign(request, { method: "GET", url: page, headers: { "api-key": fullKey } });
    const response = new http.ServerResponse(request);
    const chunks: Buffer[] = [];
    // What runs Node's handlers in functions of a cloud puts such a thing in the place of a socket.
    const stand = new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        chunks.push(Buffer.from(chunk as string));
        done();
      },
    });
    response.assignSocket(stand as never);
    const ended = new Promise((resolve) => response.once("finish", resolve));
    node(request, response);
    await ended;
    const all = Buffer.concat(chunks);
    expect(all.subarray(all.indexOf("\r\n\r\n") + 4).equals(await expected())).toBe(true);
  });
});

describe("what the host has said that answers depend on stays, beside the router's own,", () => {
  const own = "Accept, Accept-Encoding, API-Key";
  const answers = [
    { name: "in a document", target: page, headers: {}, status: 200 },
    { name: "in a 304", target: page, headers: { "if-none-match": "*" }, status: 304 },
    { name: "in an error", target: "/v2/vehicles?page[size]=0", headers: {}, status: 400 },
    { name: "in the description", target: "/v2/openapi.json", headers: {}, status: 200 },
  ];
  for (const { name, target, headers, status } of answers) {
    test.each([
      ["Origin", `Origin, ${own}`],
      [["Origin", "Cookie"], `Origin, Cookie, ${own}`],
      ["accept-encoding", "accept-encoding, Accept, API-Key"],
      ["*", `*, ${own}`],
    ])(`${name}: %j`, async (given, expected) => {
      const { node } = openRouter({ cors: false });
      const server = await listening(
        http.createServer((request, response) => {
          response.setHeader("Vary", given);
          response.setHeader("X-Other", "stays");
          node(request, response);
        }),
      );
      const answer = await ask(server.origin, target, { headers });
      expect([answer.status, answer.headers.vary, answer.headers["x-other"]]).toEqual([
        status,
        expected,
        "stays",
      ]);
      await server.close();
    });
  }
});
