import { expect, test } from "vitest";
import { askRelay } from "./ask-relay.js";

test("an answer without a connection is what one with a connection would be", async () => {
  const asked: unknown[] = [];
  const answer = await askRelay(
    {
      statusHandler(req, res) {
        asked.push(req.method, req.url, req.headers);
        res.writeHead(418, { "Content-Length": 4, "X-Two": ["a", "b"] });
        expect([res.headersSent, res.statusCode]).toEqual([true, 418]);
        res.write("té");
        res.end("a");
      },
    },
    { method: "POST", path: "/status?x=1" },
  );
  expect(asked).toEqual(["POST", "/status?x=1", {}]);
  expect(answer).toEqual({
    status: 418,
    headers: { "content-length": "4", "x-two": "a,b" },
    body: "téa",
  });
});

test("an answer that says nothing of itself is a good one without headers", async () => {
  const answer = await askRelay({ statusHandler: (_, res) => void res.end() }, { method: "GET", path: "/" });
  expect(answer).toEqual({ status: 200, headers: {}, body: "" });
});
