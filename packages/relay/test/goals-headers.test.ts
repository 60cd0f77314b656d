import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import { keys } from "./start-relay.js";
import { withGoals } from "./with-goals.js";

const path = `/sdk/goals/${keys.envId}`;
const longAgo = new Date(1_700_000_000_000).toUTCString();

test.each([201, 204, 206, 304, 404, 500])(
  "an answer of %i is not kept, whatever upstream says of it",
  async (status) => {
    const { relay, asked } = await withGoals((_, res) =>
      res.writeHead(status, { "cache-control": "max-age=10", etag: '"a"' }).end(),
    );
    for (let n = 1; n <= 2; n++) {
      const { status: got, headers } = await relay.fetch("GET", path);
      expect([got, headers["x-from-cache"], asked()]).toEqual([status, undefined, n]);
    }
  },
);

test.each(["", "?x=1", "?x=a%2Fb&y=%C3%A4&x=2", "?x=1?y=2"])(
  "upstream is asked for the goals of the environment, with what follows the path as it came: %j",
  async (search) => {
    const asked: (string | undefined)[] = [];
    const { relay } = await withGoals(
      (req, res) => {
        asked.push(req.url);
        res.end("[1]");
      },
      undefined,
      undefined,
      { prefix: "/relay" },
    );
    expect((await relay.fetch("GET", `/relay${path}${search}`)).status).toBe(200);
    expect(asked).toEqual([path + search]);
  },
);

describe("what goes along", () => {
  const passedOn = {
    accept: "text/html",
    "accept-language": "de",
    origin: "https://a.example",
    referer: "https://a.example/b",
    "user-agent": "a browser",
    "x-launchdarkly-user-agent": "an SDK",
  };

  test("to upstream is what it may use, and nothing that is secret or of the connection", async () => {
    let sent: IncomingHttpHeaders = {};
    const { relay } = await withGoals((req, res) => {
      sent = req.headers;
      res.end("[1]");
    });
    const kept = {
      authorization: "secret",
      cookie: "secret",
      "accept-encoding": "br",
      "x-own": "1",
      te: "trailers",
    };
    await relay.fetch("GET", path, { headers: { ...passedOn, ...kept } });
    const { host, connection, ...others } = sent;
    expect(others).toEqual(passedOn);
    expect([connection, host]).toEqual(["keep-alive", expect.stringMatching(/^127\.0\.0\.1:/)]);
  });

  test("to the page is what upstream says of its answer, but not what the relay says itself or what is of the connection", async () => {
    const own = {
      "content-type": "text/x-goals",
      "x-own": "1",
      "content-language": "de",
      "last-modified": longAgo,
    };
    const dropped = {
      "access-control-allow-origin": "https://upstream.example",
      "access-control-max-age": "1",
      "keep-alive": "timeout=1000",
      "proxy-authenticate": "x",
      "set-cookie": "secret",
      te: "x",
      trailer: "x-later",
      upgrade: "x",
      date: longAgo,
    };
    const { relay } = await withGoals((_, res) => res.writeHead(200, { ...own, ...dropped }).end("[1]"));
    const page = { headers: { origin: "https://a.example" } };
    const { headers } = await relay.fetch("GET", path, page);
    expect(headers).toMatchObject({
      ...own,
      "content-length": "3",
      "access-control-allow-origin": "https://a.example",
      "access-control-max-age": "300",
      vary: "Origin",
    });
    for (const name of ["set-cookie", "proxy-authenticate", "te", "trailer", "upgrade", "transfer-encoding"])
      expect(headers).not.toHaveProperty(name);
    expect(headers.date).not.toBe(longAgo);
    expect(headers["keep-alive"]).not.toBe("timeout=1000");
  });

  test("names that only end or begin as those that stay behind are passed on", async () => {
    const similar = {
      "x-connection": "1",
      datex: "2",
      xte: "3",
      "set-cookies": "4",
      "x-access-control-a": "5",
    };
    const { relay } = await withGoals((_, res) => res.writeHead(200, similar).end("[1]"));
    expect((await relay.fetch("GET", path)).headers).toMatchObject(similar);
  });
});
