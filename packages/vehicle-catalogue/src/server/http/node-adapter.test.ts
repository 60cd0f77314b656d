import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import type { Reply, RouterRequest } from "./exchange.js";
import { type NodeRequest, type NodeResponse, nodeHandler } from "./node-adapter.js";
import type { Replies } from "./replies.js";

const reply: Reply = { status: 200, headers: { Vary: "Accept, Origin" }, body: new Uint8Array([1, 2]) };

/** What is done to a response, and what is logged, while a request is answered. */
function answering(request: Partial<NodeRequest>, response: Partial<NodeResponse> = {}) {
  const done: unknown[] = [];
  const lines: string[] = [];
  const log = (level: string) => (line: string) => void lines.push(`${level}: ${line}`);
  let seen: RouterRequest | undefined;
  const handler = nodeHandler(
    (asked) => {
      seen = asked;
      return reply;
    },
    {} as Replies,
    { info: log("info"), warn: log("warn"), error: log("error") },
  );
  handler(
    { headers: {}, ...request },
    {
      headersSent: false,
      writeHead: (...head) => done.push(head),
      end: (body?: unknown) => done.push(["end", body]),
      destroy: () => done.push("destroy"),
      ...response,
    },
  );
  return { done, lines, seen };
}

test("an answer to what was answered by somebody else is left out, without a word", () => {
  expect(answering({}, { headersSent: true })).toMatchObject({ done: [], lines: [] });
});

test("an answer that cannot be written is told of with its path, and not with what was asked", () => {
  const writeHead = (): never => {
    throw new Error("boom");
  };
  const { done, lines } = answering({ url: "/v2/vehicles?q=secret" }, { writeHead });
  expect(done).toEqual(["destroy"]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^error: the answer to GET \/v2\/vehicles could not be sent: .*boom/);
});

test.each<[given: number | string | readonly string[] | undefined, united: string]>([
  [undefined, "Accept, Origin"],
  ["", "Accept, Origin"],
  ["Cookie", "Cookie, Accept, Origin"],
  ["origin,, Cookie", "origin, Cookie, Accept"],
  [["Cookie", "ACCEPT, cookie"], "Cookie, ACCEPT, Origin"],
])(
  "what a host varies its part by, %j, stands before what the answer varies by, each once",
  (given, Vary) => {
    const { done } = answering({}, { getHeader: () => given });
    expect(done).toEqual([
      [200, { Vary }],
      ["end", reply.body],
    ]);
  },
);

test("the signal of a request is one, and aborts when the connection closes", () => {
  const response = new EventEmitter();
  const { seen } = answering({}, { once: (event, listener) => response.once(event, listener) });
  expect(response.listenerCount("close")).toBe(0);
  const signal = seen?.signal;
  expect(seen?.signal).toBe(signal);
  expect(response.listenerCount("close")).toBe(1);
  expect(signal?.aborted).toBe(false);
  response.emit("close");
  expect(signal?.aborted).toBe(true);
});
