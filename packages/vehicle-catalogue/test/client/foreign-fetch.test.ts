import { Readable } from "node:stream";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import type { VehicleClientOptions } from "../../src/client/index.js";
import { apiKey, clientOf, errorOf } from "./client-of.js";
import { cars, documentOf } from "./scripted-server.js";

type Answer = Awaited<ReturnType<NonNullable<VehicleClientOptions["fetch"]>>>;

const whole = JSON.stringify(documentOf(cars(0, 3)));
const headers = new Headers({ etag: '"1"' });

/** A client whose `fetch` answers with this, whatever it is. */
function answeredWith(make: () => unknown, options: Partial<VehicleClientOptions> = {}) {
  // Libraries for `fetch` have types of their own, and what they answer is what is tested.
  return clientOf("https://example.org", { fetch: async () => make() as Answer, ...options }).client;
}

describe("the answers of other libraries are read", () => {
  const pieces = [whole.slice(0, 40), whole.slice(40)];
  const forms: { name: string; make: () => unknown }[] = [
    {
      name: "a stream of Node (node-fetch, cross-fetch, make-fetch-happen)",
      make: () => ({
        status: 200,
        ok: true,
        headers,
        body: Readable.from(pieces.map((piece) => Buffer.from(piece))),
      }),
    },
    {
      name: "a stream of texts",
      make: () => ({ status: 200, ok: true, headers, body: Readable.from(pieces) }),
    },
    {
      name: "no stream, but text() (React Native)",
      make: () => ({ status: 200, ok: true, headers, text: async () => whole }),
    },
    {
      name: "objects of another realm (a test runner with a world of its own)",
      make: () =>
        runInNewContext("({ status: 200, ok: true, headers: { get: () => null }, text: async () => text })", {
          text: whole,
        }),
    },
    {
      name: "a stream that cannot be left properly",
      make: () => {
        const response = new Response(whole);
        const reader = response.body?.getReader();
        const getReader = () => ({ read: () => reader?.read(), cancel: () => undefined });
        return { status: 200, ok: true, headers, body: { getReader } };
      },
    },
  ];
  for (const { name, make } of forms) {
    test(name, async () => {
      expect((await answeredWith(make).page()).vehicles).toHaveLength(3);
    });
    test(`${name}, and no more than maxBodyBytes`, async () => {
      const error = await errorOf(answeredWith(make, { maxBodyBytes: 50 }).page());
      expect(error).toMatchObject({ code: "invalid_response", retryable: false });
      expect(error.message).toContain("maxBodyBytes");
    });
  }

  test("a stream of Node that is too long is left", async () => {
    const body = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(1000)));
    await errorOf(
      answeredWith(() => ({ status: 200, ok: true, headers, body }), { maxBodyBytes: 5000 }).page(),
    );
    await vi.waitFor(() => expect(body.destroyed).toBe(true), { timeout: 60_000 });
  });
});

describe("an answer that lies is a failure of the client's own, without the key", () => {
  const secret = new Error(`no ${apiKey}`);
  const fail = (): never => {
    throw secret;
  };
  const used = new Response(whole);
  const lies: { name: string; answer: unknown }[] = [
    { name: "headers that are no Headers", answer: { status: 200, ok: true, headers: {} } },
    { name: "no headers", answer: { status: 200, ok: true, headers: null } },
    { name: "headers.get throws", answer: { status: 200, ok: true, headers: { get: fail } } },
    { name: "no body in any form", answer: { status: 200, ok: true, headers } },
    { name: "a body of rubbish", answer: { status: 200, ok: true, headers, body: Readable.from([5, {}]) } },
    { name: "text() that gives none", answer: { status: 200, ok: true, headers, text: async () => 7 } },
    {
      name: "a body that throws",
      answer: Object.defineProperty({ status: 200, ok: true, headers }, "body", { get: fail }),
    },
    { name: "a status that throws", answer: Object.defineProperty({ headers }, "status", { get: fail }) },
    { name: "a body that was read already", answer: used },
  ];
  for (const { name, answer } of lies) {
    test(name, async () => {
      if (answer === used && !used.bodyUsed) await used.text();
      const error = await errorOf(answeredWith(() => answer).page());
      expect(["network", "invalid_response"]).toContain(error.code);
      expect(error.url).toContain("https://example.org");
      const shown = [error.message, error.stack, String(error.cause), JSON.stringify(error)].join();
      expect(shown).not.toContain(apiKey);
    });
  }

  const odd = Object.assign(new Error("x"), { message: 5, code: Symbol("code"), name: null, stack: {} });
  for (const [name, thrown] of Object.entries({
    "a symbol": Symbol("why"),
    "an object without a prototype": Object.create(null),
    "an object that cannot be a text": { toString: fail },
    "an error with members of other types": odd,
    nothing: undefined,
  })) {
    test(`fetch rejects with ${name}`, async () => {
      const { client } = clientOf("https://example.org", { fetch: () => Promise.reject(thrown) });
      expect((await errorOf(client.page())).code).toBe("network");
    });
  }
});

describe("the cause of a failure is told as far as there is one", () => {
  const causeOf = async (thrown: unknown) => {
    const { client } = clientOf("https://example.org", {
      fetch: () => Promise.reject(thrown),
      retry: false,
    });
    const { message, cause } = await errorOf(client.page());
    return { message: message.replace(/^.*?page%5Bsize%5D=100: /, ""), cause };
  };
  const errorWith = (members: object): Error => Object.assign(new Error("why"), members);

  test.each<[string, unknown, object, string]>([
    [
      "a message, a name and a code",
      errorWith({ name: "Own", code: "E1" }),
      { name: "Own", code: "E1" },
      "why",
    ],
    ["a code that is a number", errorWith({ code: 7 }), { code: "7" }, "why"],
    [
      "a code and no message",
      errorWith({ message: "", code: "ECONNREFUSED" }),
      { message: "ECONNREFUSED" },
      "ECONNREFUSED",
    ],
    ["a stack", errorWith({ stack: `at ${apiKey}` }), { stack: "at [redacted]" }, "why"],
    ["no stack", errorWith({ stack: undefined }), { stack: "" }, "why"],
    ["a text", "why not", { name: "Error", message: "why not" }, "why not"],
    ["a number", 5, { message: "5" }, "5"],
    ["zero", 0, { message: "0" }, "0"],
    ["null", null, { message: "null" }, "null"],
    ["what cannot be a text", Object.create(null), { message: "object" }, "object"],
    ["a cause of its own", new Error("a", { cause: new Error("b") }), { message: "a" }, "a: b"],
    ["a cause that is a text", new Error("a", { cause: "b" }), { message: "a" }, "a: b"],
  ])("%s", async (_, thrown, members, words) => {
    const { message, cause } = await causeOf(thrown);
    expect(cause).toBeInstanceOf(Error);
    expect(cause).toMatchObject(members);
    expect(message).toBe(words);
  });

  test("none has a code or a cause that there was not", async () => {
    const { cause } = await causeOf(new Error("why"));
    expect(cause).not.toHaveProperty("code");
    expect(cause).not.toHaveProperty("cause");
    const { client } = clientOf("https://example.org", { fetch: () => Promise.reject("no"), retry: false });
    expect(await errorOf(client.page())).toMatchObject({ excerpt: undefined, status: undefined, errors: [] });
  });

  test.each([
    [5, "0: 1: 2: 3: 4: 5"],
    [6, "0: 1: 2: 3: 4: 5"],
    [1, "0: 1"],
  ])("of %i causes of causes five at most", async (count, words) => {
    let thrown = new Error(`${count}`);
    for (let depth = count - 1; depth >= 0; depth--) thrown = new Error(`${depth}`, { cause: thrown });
    expect((await causeOf(thrown)).message).toBe(words);
  });
});
