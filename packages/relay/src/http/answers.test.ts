import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { closing, type Headers, sendBody, sendEmpty, sendLentJson } from "./answers.js";
import type { Downloads } from "./downloads.js";
import { lendBody } from "./lent-bodies.js";
import type { RelayResponse } from "./relay-response.js";

/** A response of Node, and one of the host, with what they are sent. */
function setUp() {
  const socket = new Socket();
  const written: string[] = [];
  socket.write = (chunk: unknown) => {
    written.push(String(chunk));
    return true;
  };
  const plain = new ServerResponse(new IncomingMessage(socket));
  plain.assignSocket(socket);
  const sent: unknown[] = [];
  const own = {
    writeHead: (...head: unknown[]) => void sent.push(...head),
    end: (body?: unknown) => void sent.push(body),
  };
  // No more of a response is used.
  return { plain, written, own: own as unknown as RelayResponse, sent };
}

const headersOf = (written: readonly string[]) =>
  Object.fromEntries(
    (written.join("").split("\r\n\r\n")[0] ?? "")
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(": ")),
  );

test("a body is as long as its bytes, whatever it is sent by", () => {
  const { plain, written, own, sent } = setUp();
  const headers = { "X-None": "", "X-Zero": 0, "X-A": "a" };
  sendBody(plain, 200, "text/plain", "grün", headers);
  expect(headersOf(written)).toMatchObject({
    "Content-Length": "5",
    "Content-Type": "text/plain",
    "X-None": "",
    "X-Zero": "0",
    "X-A": "a",
  });
  sendBody(own, 201, "text/plain", "grün", headers);
  expect(sent).toEqual([201, { ...headers, "Content-Length": 5, "Content-Type": "text/plain" }, "grün"]);
});

test("what is said of a body counts, also when the headers of a request say something else", () => {
  const { own, sent } = setUp();
  sendBody(own, 200, "text/plain", "a", { "Content-Type": "other", "Content-Length": 7 });
  sendEmpty(own, 202, { "Content-Length": 7 });
  expect(sent).toEqual([
    200,
    { "Content-Type": "text/plain", "Content-Length": 1 },
    "a",
    202,
    { "Content-Length": 0 },
    undefined,
  ]);
});

test("304 says nothing of a body", () => {
  const { own, sent } = setUp();
  sendEmpty(own, 304, { Etag: "a" });
  expect(sent).toEqual([304, { Etag: "a" }, undefined]);
});

test("an answer ends a connection of Node, and is the same but for that", () => {
  const { plain, own } = setUp();
  const headers: Headers = { "X-A": "a" };
  expect(closing(plain, headers)).toEqual({ "X-A": "a", Connection: "close" });
  expect(closing(own, headers)).toBe(headers);
});

test("a body that was lent is given back when it has been sent, and not before", () => {
  const { own, sent } = setUp();
  const body = lendBody(40_000);
  let over = () => {};
  const downloads = {
    end(_res: RelayResponse, given: Uint8Array, through: () => void) {
      sent.push(given.length);
      over = through;
    },
  };
  // No more of it is used.
  sendLentJson(own, body, {}, downloads as unknown as Downloads);
  expect(sent).toEqual([200, { "Content-Type": "application/json", "Content-Length": 40_000 }, 40_000]);
  const { buffer } = body;
  expect(lendBody(40_000).buffer).not.toBe(buffer);
  over();
  expect(lendBody(40_000).buffer).toBe(buffer);
});
