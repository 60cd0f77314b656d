import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPipelineClient, PipelineClientError, type RawRequest } from "../src/index.js";
import { bodyOf, contentTypeOf, type Exchange, recordings } from "./exchanges.js";
import { answer, type Scripted, scriptedServer } from "./scripted-server.js";

// Every recorded request, sent by the client over a real socket, and every recorded answer, read by it.

let current: Exchange | undefined;
let server: Scripted;
beforeAll(async () => {
  server = await scriptedServer((_, response) => {
    const { status, body, text } = current!.response;
    const headers = { ...current!.response.headers };
    delete headers["content-length"];
    if (text !== undefined) response.writeHead(status, headers).end(text);
    else answer(response, body ?? "", status, headers);
  });
});
afterAll(() => server.close());

const codes: Readonly<Record<number, string>> = {
  400: "bad_request",
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  500: "server_error",
  501: "unsupported",
  503: "server_error",
};

test("all exchanges are there", () => {
  expect(recordings.map(({ exchanges }) => exchanges.length).reduce((a, b) => a + b)).toBe(526);
});

for (const { id, exchanges } of recordings) {
  describe(id, () => {
    for (const [index, exchange] of exchanges.entries()) {
      // A method that answers nothing to a HEAD, and one that browsers do not let anybody send.
      test(`${index} ${exchange.step}`, async () => {
        current = exchange;
        const { request, response } = exchange;
        const client = createPipelineClient({ host: server.url, retry: false });
        const sent = await send(client, request);
        const received = server.requests.at(-1)!;
        expect([received.method, received.path]).toEqual([
          request.method,
          new URL(request.path, server.url).pathname,
        ]);
        expect([...received.query]).toEqual([...new URLSearchParams(request.query ?? "")]);
        expect(received.body.equals(bodyOf(request) ?? Buffer.alloc(0))).toBe(true);
        expect(sent).toEqual(expectedOf(response));
      });
    }
  });
}

async function send(client: ReturnType<typeof createPipelineClient>, request: Exchange["request"]) {
  const body = bodyOf(request);
  const raw: RawRequest = {
    // The recordings hold no other methods than those of the type, but for OPTIONS, which is sent the same way.
    method: request.method as "GET",
    path: request.path,
    query: Object.fromEntries(new URLSearchParams(request.query ?? "")),
    ...(body !== undefined && { body, contentType: contentTypeOf(request) }),
  };
  try {
    const { status, bytes } = await client.request(raw);
    return { status, text: new TextDecoder().decode(bytes) };
  } catch (error) {
    if (!(error instanceof PipelineClientError)) throw error;
    return { status: error.status, code: error.code, serverCode: error.serverCode };
  }
}

function expectedOf({ status, body, text }: Exchange["response"]) {
  if (status < 400) return { status, text: text ?? (body === undefined ? "" : JSON.stringify(body)) };
  const serverCode = (body as { readonly code?: number } | undefined)?.code;
  return { status, code: codes[status], serverCode };
}
