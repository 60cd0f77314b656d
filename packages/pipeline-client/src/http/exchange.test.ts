import { expect, test } from "vitest";
import { createPipelineClient, type PipelineClientOptions } from "../index.js";

const text = { headers: { accept: "text/plain", cookie: "of all", authorization: "of all" } };

test.each<readonly [what: string, options: Partial<PipelineClientOptions>, sent: object]>([
  ["what every request has", {}, { accept: "application/json", authorization: null, cookie: null }],
  ["before that, the headers of the client", text, { ...text.headers }],
  [
    "before those, the headers of whoever asks",
    { ...text, auth: { headers: { authorization: "own", cookie: "own" } } },
    { accept: "text/plain", authorization: "own", cookie: "own" },
  ],
  [
    "before those, a token and a cookie",
    { ...text, auth: { token: "t", cookie: "c", headers: { authorization: "own", cookie: "own" } } },
    { authorization: "Bearer t", cookie: "c" },
  ],
])("headers are %s", async (_, options, sent) => {
  const asked: Headers[] = [];
  const fetch = async (_url: string, { headers }: RequestInit) => {
    asked.push(new Headers(headers));
    return Response.json({});
  };
  await createPipelineClient({ host: "http://h", fetch, ...options }).health();
  const found = Object.fromEntries(Object.keys(sent).map((name) => [name, asked[0]?.get(name)]));
  expect(found).toEqual(sent);
});
