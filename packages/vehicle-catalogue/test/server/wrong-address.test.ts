import http from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Listening, listening, openRouter } from "./listening.js";

const origin = "https://page.example";
const path = "/api/v2/vehicles";
const router = openRouter({ cors: { origins: [origin] } });

let server: Listening;
beforeAll(async () => {
  server = await listening(http.createServer(router.node));
});
afterAll(() => server.close());

type Give = (method: string, headers: Record<string, string>) => Promise<Response>;

test.each<readonly [string, Give]>([
  ["node", (method, headers) => fetch(`${server.origin}${path}`, { method, headers })],
  [
    "fetch",
    (method, headers) => router.fetch(new Request(`http://catalogue.test${path}`, { method, headers })),
  ],
  [
    "respond",
    async (method, headers) => {
      const given = await router.respond({ method, url: path, headers: new Headers(headers) });
      return new Response(null, { status: given.status, headers: given.headers });
    },
  ],
])("a page learns from %s that nothing is at a wrong address", async (_, give) => {
  for (const [method, headers, status] of [
    ["GET", { origin }, 404],
    ["OPTIONS", { origin }, 404],
    ["OPTIONS", { origin, "access-control-request-method": "GET" }, 204],
  ] as const) {
    const response = await give(method, headers);
    expect(response.status).toBe(status);
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
  }
  const elsewhere = await give("GET", { origin: "https://evil.example" });
  expect([elsewhere.status, elsewhere.headers.get("access-control-allow-origin")]).toEqual([404, null]);
});

test("a handler with a next answers nothing that is not its own", () => {
  const asked: string[] = [];
  const headers = { origin, "access-control-request-method": "GET" };
  const response = new Proxy({} as http.ServerResponse, {
    get: () => expect.unreachable("the response is another's"),
  });
  router.node({ method: "OPTIONS", url: path, headers }, response, () => asked.push(path));
  expect(asked).toEqual([path]);
});
