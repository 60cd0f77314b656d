import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { Exchange } from "../http/exchange.js";
import type { EndpointName } from "../http/routes.js";
import { createManualClock } from "../testing/manual-clock.js";
import { answer } from "./endpoints.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A response that notes what it is sent. */
function fakeResponse(more: object = {}) {
  const sent: unknown[] = [];
  const res = {
    headersSent: false,
    statusCode: 200,
    writableEnded: false,
    destroyed: false,
    writeHead(status: number) {
      res.headersSent = true;
      res.statusCode = status;
      sent.push(status);
    },
    end: (body?: unknown) => void sent.push(body),
    destroy: () => void sent.push("destroy"),
    ...more,
  };
  return { res, sent };
}

/** A request of an endpoint, and what becomes of it. */
function setUp(endpoint: EndpointName, { res, ...environment }: Record<string, unknown> = {}) {
  const clock = createManualClock();
  const said: unknown[] = [];
  const say = (what: string) => (more?: unknown) =>
    void said.push(typeof more === "string" ? `${what} ${more.split("\n", 1)[0]}` : what);
  const exchange = {
    req: { headers: {} },
    res,
    match: { route: { endpoint }, variables: {} },
    headers: {},
    environment: {
      phase: "ready",
      closed: false,
      accepts: () => true,
      relayOptions: { clock },
      logger: { error: say("error") },
      meter: {
        countRequest: (name: string, status: number | undefined, ms: number) =>
          void said.push([name, status, ms]),
      },
      flags: {
        derive() {
          clock.advance(7);
          throw new Error("no flags");
        },
        get: () => undefined,
      },
      ...environment,
    },
    credentials: { closed: false, knows: () => true },
    inHand: { begin: say("begin"), end: say("end"), endWith: say("end with answer") },
  };
  // No more of an exchange is used.
  return { exchange: exchange as unknown as Exchange, said, clock };
}

test.each<[EndpointName, phase: string, sent: unknown[]]>([
  ["php-flags", "starting", [503, "client was not initialized"]],
  ["php-flags", "waiting", [503, '{"message":"Service not initialized"}']],
  ["php-flags", "refused", [503, '{"message":"Service not initialized"}']],
  ["php-flag", "ready", [404, undefined]],
  ["evaluate", "starting", [503, "client was not initialized"]],
])("%s of an environment that is %s", (endpoint, phase, expected) => {
  const { res, sent } = fakeResponse();
  const { exchange, said } = setUp(endpoint, { phase, res });
  answer(exchange);
  expect(sent).toEqual(expected);
  expect(said).toEqual(["begin", "end with answer", [endpoint, expected[0], 0]]);
});

describe("a request in which something goes wrong", () => {
  test("is told of, answered with 500 and counted with its time", () => {
    const { res, sent } = fakeResponse();
    const { exchange, said } = setUp("php-flags", { res });
    answer(exchange);
    expect(sent).toEqual([500, '{"message":"internal error"}']);
    expect(said).toEqual([
      "begin",
      "error php-flags: Error: no flags",
      "end with answer",
      ["php-flags", 500, 7],
    ]);
  });

  test("is answered in the same way when that turns out later", async () => {
    const { res, sent } = fakeResponse();
    const goals = { get: () => Promise.reject(new Error("no goals")) };
    const { exchange, said } = setUp("goals", { res, goals });
    answer(exchange);
    expect(sent).toEqual([]);
    await turn();
    expect(sent).toEqual([500, '{"message":"internal error"}']);
    expect(said).toEqual(["begin", "error goals: Error: no goals", "end with answer", ["goals", 500, 0]]);
  });

  test("is cut off when a part of the answer was sent", () => {
    const { res, sent } = fakeResponse({ headersSent: true });
    const { exchange, said } = setUp("php-flags", { res });
    answer(exchange);
    expect(sent).toEqual(["destroy"]);
    expect(said).toContain("error php-flags: Error: no flags");
  });

  test("is left as it is, and told to nobody, when something in front of the relay has answered", () => {
    const { res, sent } = fakeResponse({ headersSent: true, writableEnded: true, statusCode: 504 });
    const { exchange, said } = setUp("php-flags", { res });
    answer(exchange);
    expect(sent).toEqual([]);
    expect(said).toEqual(["begin", "end with answer", ["php-flags", 504, 7]]);
  });

  test("is cut off when nothing can be sent, and has no status", () => {
    const { res, sent } = fakeResponse({
      writeHead() {
        throw new Error("no head");
      },
    });
    const { exchange, said } = setUp("php-flags", { res });
    answer(exchange);
    expect(sent).toEqual(["destroy"]);
    expect(said.at(-1)).toEqual(["php-flags", undefined, 7]);
  });
});

describe("a stream behind another request on its connection", () => {
  /** A stream that has no connection yet; `connect` gives it one. */
  function waiting(environment: object = {}) {
    const req = new IncomingMessage(new Socket());
    const res = new ServerResponse(req);
    const { exchange, said } = setUp("all-stream", { res, ...environment });
    answer({ ...exchange, req });
    return { said, res, connect: () => res.emit("socket") };
  }

  test("is not waited for by who closes until it is its turn", async () => {
    const { said, connect } = waiting({ phase: "waiting" });
    await turn();
    expect(said).toEqual(["begin", "end"]);
    connect();
    await turn();
    expect(said).toEqual(["begin", "end", "begin", "end", ["all-stream", 503, 0]]);
  });

  test("is looked at once more then: its environment may have gone", async () => {
    const { said, res, connect } = waiting({ closed: true });
    connect();
    await turn();
    expect([res.statusCode, said.at(-1)]).toEqual([503, ["all-stream", 503, 0]]);
  });
});
