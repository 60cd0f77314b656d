import { expect, test } from "vitest";
import { fullKey, openRouter } from "../../../test/server/listening.js";

const url = "http://a.example/v2/vehicles?page[size]=1";
const { fetch, respond } = openRouter();
const asking = (headers: Record<string, string> = {}) => ({ headers: { "api-key": fullKey, ...headers } });

test("an answer has the status, the headers and the bytes of any other handler", async () => {
  const answer = await fetch(new Request(url, asking()));
  const { status, headers, body } = await respond({
    method: "GET",
    url,
    headers: new Headers(asking().headers),
  });
  expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
    status,
    Object.fromEntries(new Headers({ ...headers })),
  ]);
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(Uint8Array.from(body));
});

test.each<[string, () => Promise<RequestInit>, number]>([
  ["HEAD", async () => ({ ...asking(), method: "HEAD" }), 200],
  ["OPTIONS", async () => ({ method: "OPTIONS" }), 204],
  [
    "GET of what the client has",
    async () => {
      const { headers } = await fetch(new Request(url, asking()));
      return asking({ "if-none-match": headers.get("etag") ?? "" });
    },
    304,
  ],
])("the answer to %s has no body", async (_, request, status) => {
  const answer = await fetch(new Request(url, await request()));
  expect([answer.status, answer.body]).toEqual([status, null]);
});

test("what is not there is not found", async () => {
  const answer = await fetch(new Request("http://a.example/v2", asking()));
  expect([answer.status, (await answer.json()).errors[0].code]).toEqual([404, "NOT_FOUND"]);
});

test.each([undefined, {}, { url }, { headers: new Headers() }, { url, headers: {} }])(
  "what is no request is refused: %j",
  async (request) => {
    await expect(fetch(request as never)).rejects.toThrow(TypeError);
    await expect(fetch(request as never)).rejects.toThrow(/^fetch of a router needs a Request/);
  },
);
