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

test.each<readonly [what: string, options: Partial<PipelineClientOptions>, secrets: readonly string[]]>([
  ["a header of the client", { headers: { "x-key": "k3y-value" } }, ["k3y-value"]],
  ["a header of whoever asks", { auth: { headers: { "x-key": "k3y-value" } } }, ["k3y-value"]],
  ["a token, and all that stands with it", { auth: { token: "t0ken" } }, ["t0ken", "Bearer t0ken"]],
  [
    "a cookie, and each of its parts",
    { auth: { cookie: "a=first-part; b=second=part" } },
    ["a=first-part; b=second=part", "first-part", "second=part"],
  ],
])("a failure repeats nothing of %s", async (_, options, secrets) => {
  const fetch = async () => Response.json({ message: `<${secrets.join("> <")}>` }, { status: 400 });
  const client = createPipelineClient({ host: "http://h", fetch, ...options });
  const error: unknown = await client.health().catch((thrown: unknown) => thrown);
  const told = `${error} ${Object(error).serverMessage}`;
  expect(told).toContain("[redacted]");
  expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
  expect(told).not.toMatch(/k3y|t0ken|first|second|a=/);
});

test("who ends a call that waits for credentials hears the own reason", async () => {
  const user = new AbortController();
  const token = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("no token")));
      user.abort(new Error("enough"));
    });
  const fetch = async () => expect.unreachable("nothing is sent");
  const client = createPipelineClient({ host: "http://h", fetch, auth: { token } });
  await expect(client.health({ signal: user.signal })).rejects.toThrow(/^enough$/);
});
