import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { CredentialKind } from "../credentials.js";
import { silentLogger } from "../logger.js";
import {
  bodyWasRead,
  type Judged,
  refuseClosed,
  refuseCredential,
  refuseCrowded,
  refuseFilter,
  refuseIfGone,
} from "./refusals.js";
import type { RelayResponse } from "./relay-response.js";
import { matchRoute } from "./routes.js";

const headers = { "X-Own": "1" };
const text = "text/plain; charset=utf-8";
const renewed = "the environment or the payload filter was set up anew; try again";
const unknown =
  "Relay Proxy does not recognize the client credential (missing or invalid Authorization header)";

/** A response that says what it was told, and a request for it that may be refused. */
function setUp({
  accepts = true,
  closed = false,
  allClosed = false,
  knows = false,
  credential = "sdkKey",
} = {}) {
  const sent: unknown[] = [];
  const errors: string[] = [];
  const res = {
    writeHead: (status: number, given: Readonly<Record<string, unknown>>) => sent.push(status, given),
    end: (body?: unknown) => sent.push(body === undefined ? "" : String(body)),
  } as unknown as RelayResponse;
  const route = matchRoute("POST", ["bulk"]);
  if (route.kind !== "match") throw new Error("there is no such route");
  const asked: string[] = [];
  const judged = {
    res,
    match: route.match,
    credential: credential as CredentialKind,
    digest: "digest",
    headers,
    environment: {
      logger: { ...silentLogger, error: (line: string) => void errors.push(line) },
      closed,
      accepts: (digest: string) => asked.push(digest) > 0 && accepts,
    },
    credentials: { closed: allClosed, knows: (digest: string) => asked.push(digest) > 0 && knows },
  };
  return { res, judged, sent, errors, asked };
}

const plain = (length: number) => ({ ...headers, "Content-Type": text, "Content-Length": length });

describe("a request is looked at once more when its body has come", () => {
  test.each([
    { accepts: true, closed: false, allClosed: false },
    { accepts: true, closed: false, allClosed: true },
  ])("and goes on with %j", (state) => {
    const { judged, sent, asked } = setUp(state);
    expect([refuseIfGone(judged), sent, asked]).toEqual([false, [], ["digest"]]);
  });

  test.each([
    [{ closed: true, allClosed: true }, 503, "the relay is closed"],
    [{ closed: true, allClosed: false }, 503, renewed],
    [{ accepts: false, knows: true, closed: true, allClosed: true }, 503, renewed],
    [{ accepts: false, knows: false }, 401, unknown],
    [{ accepts: false, knows: false, credential: "mobileKey" }, 401, unknown],
    [{ accepts: false, knows: false, credential: "envId" }, 404, "URL did not contain an environment ID"],
  ])("and is refused with %j: %i", (state, status, message) => {
    const { judged, sent } = setUp(state);
    expect(refuseIfGone(judged)).toBe(true);
    expect(sent).toEqual([status, plain(message.length), message]);
  });
});

test("what leads nowhere is refused in the words of its kind, with the headers of the request", () => {
  const filter = "Relay Proxy recognizes the provided credential, but the payload filter was not found";
  const one = setUp();
  refuseFilter(one.res, headers);
  expect(one.sent).toEqual([404, plain(filter.length), filter]);
  const two = setUp();
  refuseCredential(two.res, "sdkKey");
  expect(two.sent).toEqual([401, { "Content-Type": text, "Content-Length": unknown.length }, unknown]);
});

test("a body that was given up is answered with JSON", () => {
  const { judged, sent } = setUp();
  refuseCrowded(judged);
  const body = '{"message":"too many request bodies are on their way"}';
  expect(sent).toEqual([
    503,
    { ...headers, "Content-Type": "application/json", "Content-Length": body.length },
    body,
  ]);
});

test("that something before the relay has taken a body is told to the client and to the host", () => {
  const { judged, sent, errors } = setUp();
  bodyWasRead(judged);
  const body = '{"message":"the request body was read before it came to the relay"}';
  expect(sent).toEqual([
    500,
    { ...headers, "Content-Type": "application/json", "Content-Length": body.length },
    body,
  ]);
  expect(errors).toEqual([
    "events: the body was read before the request came to the relay, and nothing is in req.body; mount the relay before what reads it",
  ]);
});

test.each([
  ["is closed", (judged: Judged) => refuseClosed(judged.res)],
  ["has no room for a body", refuseCrowded],
])("the answer of a relay that %s ends the connection, where answers have one", (_, refuse) => {
  const { judged, sent } = setUp();
  refuse(judged);
  expect(sent[1]).not.toHaveProperty("Connection");
  const res = Object.assign(new ServerResponse(new IncomingMessage(new Socket())), {
    writeHead: (status: number, given: object) => sent.push(status, given),
  });
  // Nothing is known of what has been put around it.
  refuse({ ...judged, res: res as unknown as RelayResponse });
  expect(sent[4]).toMatchObject({ Connection: "close" });
});
