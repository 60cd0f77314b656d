import { inspect } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import {
  createVehicleClient,
  type VehicleClient,
  type VehicleClientErrorCode,
  type VehicleClientOptions,
} from "../../src/client/index.js";
import type { Listening } from "../server/listening.js";
import { apiKey, clientOf, errorOf } from "./client-of.js";
import { FakeClock } from "./fake-clock.js";
import { answer, jsonApi, rawServer, scriptedServer } from "./scripted-server.js";

let server: Listening;
afterEach(() => server?.close());

const inJson = JSON.stringify(apiKey).slice(1, -1);
const inPhpJson = inJson.replaceAll("/", "\\/");
const inUrl = encodeURIComponent(apiKey);
const asEscapes = [...apiKey]
  .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)
  .join("");

/** Everything that a program might print of a value: each of its members, seen and unseen, as far down as they go. */
function printed(value: unknown): string {
  const seen = new Set<unknown>();
  const texts: string[] = [];
  const walk = (part: unknown): void => {
    if (typeof part !== "object" || part === null) texts.push(String(part));
    else if (!seen.has(part)) {
      seen.add(part);
      for (const name of Reflect.ownKeys(part)) {
        texts.push(String(name));
        walk(Reflect.get(part, name));
      }
    }
  };
  walk(value);
  const options = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true };
  return [...texts, inspect(value, options), JSON.stringify(value), String(value)].join("\n");
}

function expectNoKey(value: unknown): void {
  const text = printed(value);
  for (const spelling of [apiKey, inJson, inPhpJson, inUrl]) expect(text).not.toContain(spelling);
}

/** A server that tells everything back that it was told. */
function gossip(status: number, body: string, headers: Record<string, string> = {}): Promise<Listening> {
  return scriptedServer((_, response) => answer(response, body, { status, headers }));
}

const told = `your key is ${apiKey}`;
const errorDocument = JSON.stringify({
  errors: [
    {
      status: "4",
      title: told,
      detail: told,
      code: apiKey,
      source: { header: apiKey },
      meta: { [apiKey]: [{ a: told }] },
    },
  ],
});

describe("the key is in no error", () => {
  const failures: {
    name: string;
    code: VehicleClientErrorCode;
    start: () => Promise<Listening>;
    options?: Partial<VehicleClientOptions>;
  }[] = [
    {
      name: "an error document that repeats it",
      code: "bad_request",
      start: () => gossip(400, errorDocument),
    },
    {
      name: "the same of PHP",
      code: "forbidden",
      start: () => gossip(403, errorDocument.replaceAll("/", "\\/")),
    },
    {
      name: "the same in escapes",
      code: "not_found",
      start: () => gossip(404, errorDocument.replaceAll(inJson, asEscapes)),
    },
    { name: "HTML that repeats it", code: "server_error", start: () => gossip(500, `<p>${told}</p>`) },
    { name: "foreign JSON", code: "rate_limited", start: () => gossip(429, `{"key":"${inPhpJson}"}`) },
    { name: "a success that repeats it", code: "invalid_response", start: () => gossip(200, told) },
    {
      name: "a redirect with it in the target",
      code: "redirected",
      start: () => gossip(302, told, { location: `https://elsewhere.example/?a=${inUrl}&b=${apiKey}` }),
    },
    {
      name: "a request id that is it",
      code: "server_error",
      start: () => gossip(503, told, { "x-request-id": apiKey }),
    },
    {
      name: "a body that breaks off after it",
      code: "invalid_response",
      start: () =>
        rawServer(
          `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: ${jsonApi}\r\ncontent-length: 999\r\n\r\n${told}`,
          "close",
        ),
    },
    { name: "no HTTP at all", code: "network", start: () => rawServer(told, "close") },
    {
      name: "a fetch whose errors hold the request",
      code: "network",
      start: () => gossip(200, ""),
      options: {
        fetch: async (url, init) => {
          const inner = Object.assign(new Error(told), {
            config: init,
            code: apiKey,
            request: { url, init },
          });
          throw Object.assign(new TypeError(`failed with ${told}`, { cause: inner }), { config: init });
        },
      },
    },
    {
      name: "a fetch that throws a text",
      code: "network",
      start: () => gossip(200, ""),
      options: { fetch: () => Promise.reject(told) },
    },
    {
      name: "a fetch that throws the request itself, at once",
      code: "network",
      start: () => gossip(200, ""),
      options: {
        fetch: (_, init) => {
          throw init;
        },
      },
    },
    {
      name: "a timeout",
      code: "timeout",
      start: () => gossip(200, ""),
      options: {
        retry: false,
        clock: Object.assign(new FakeClock(), {
          after: (_: number, run: () => void) => {
            setImmediate(run);
            return () => {};
          },
        }),
        fetch: () => new Promise(() => {}),
      },
    },
  ];

  test("every code has a case", () => {
    const codes: Record<VehicleClientErrorCode, true> = {
      network: true,
      timeout: true,
      bad_request: true,
      forbidden: true,
      not_found: true,
      rate_limited: true,
      server_error: true,
      redirected: true,
      invalid_response: true,
    };
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(Object.keys(codes)));
  });

  for (const { name, code, start, options } of failures) {
    test(`${code}: ${name}`, async () => {
      server = await start();
      const events: unknown[] = [];
      const note = (event: unknown): void => void events.push(event);
      const hooks = { request: note, response: note, retry: note };
      const { client } = clientOf(server.origin, { ...options, hooks });
      const error = await errorOf(client.page());
      expect(error.code).toBe(code);
      expectNoKey(error);
      expectNoKey(events);
    });
  }

  test("not by a part of it where what is shown of an answer ends", async () => {
    server = await gossip(500, "x".repeat(190) + apiKey);
    const { client } = clientOf(server.origin, { retry: false });
    expect((await errorOf(client.page())).excerpt).toBe(`${"x".repeat(190)}[redacted]`);
  });

  test("what is left of the message still helps", async () => {
    server = await gossip(403, errorDocument);
    const error = await errorOf(clientOf(server.origin).client.page());
    expect(error.message).toContain("your key is [redacted]");
    expect(error.errors[0]).toMatchObject({
      code: "[redacted]",
      meta: { "[redacted]": [{ a: "your key is [redacted]" }] },
    });
  });
});

describe("the key is nowhere else", () => {
  test("not in the client", () => {
    const { client } = clientOf("https://example.org");
    expectNoKey(client);
    expect(Object.keys(client).sort()).toEqual(["brands", "byId", "page", "pages", "search", "vehicles"]);
  });

  test("not in a URL, and in no header but its own", async () => {
    const heads: unknown[] = [];
    server = await scriptedServer((request, response) => {
      const { "api-key": _, ...others } = request.headers;
      heads.push([request.url, others]);
      answer(response, '{"data":[]}');
    });
    const { client } = clientOf(server.origin, { cache: true });
    await client.page({ filter: { id: ["1"], manufacturerId: ["2"] }, fields: { car: ["model"] } });
    await client.search("x");
    await client.brands();
    expectNoKey(heads);
  });

  const wrongKeys = [`${apiKey}\nx`, `${apiKey}\r\nx: y`, `${apiKey}\u0000`, `${apiKey}€`];
  for (const wrong of wrongKeys) {
    test(`not in the refusal of a key that fits in no header: ${JSON.stringify(wrong.slice(apiKey.length))}`, () => {
      let refusal: unknown;
      try {
        createVehicleClient({ baseUrl: "https://example.org", apiKey: wrong });
      } catch (error) {
        refusal = error;
      }
      expect(refusal).toBeInstanceOf(TypeError);
      expectNoKey(refusal);
    });
  }

  test("not in the refusal of wrong options and requests", async () => {
    const refused: (() => unknown)[] = [
      () => createVehicleClient({ baseUrl: `https://user:${apiKey}@example.org`, apiKey }),
      () => createVehicleClient({ baseUrl: `https://example.org?key=${inUrl}`, apiKey }),
      () => createVehicleClient({ baseUrl: "https://example.org", apiKey, timeoutMs: Number.NaN }),
    ];
    for (const make of refused) {
      const refusal = await Promise.resolve()
        .then(make)
        .catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(TypeError);
      expectNoKey(refusal);
    }
    const client: VehicleClient = clientOf("https://example.org").client;
    // @ts-expect-error a request with what it must not have
    expectNoKey(await client.page({ apiKey }).catch((error: unknown) => error));
  });
});
