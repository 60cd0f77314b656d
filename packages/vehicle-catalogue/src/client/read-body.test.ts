import { describe, expect, test } from "vitest";
import { readBody } from "./read-body.js";

const signal = new AbortController().signal;
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A response whose body comes in these pieces, then ends or breaks; `left` tells whether the rest was given up. */
function responseOf(pieces: readonly Uint8Array[], error?: Error) {
  const rest = [...pieces];
  const state = { left: false };
  const body = new ReadableStream({
    pull(controller) {
      const piece = rest.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (error !== undefined) controller.error(error);
      else controller.close();
    },
    cancel() {
      state.left = true;
    },
  });
  return { response: new Response(body), state };
}

const letters = bytesOf("aé€😀z");

describe("a text is read whole, wherever its pieces end", () => {
  test.each(Array.from(letters.keys()))("behind byte %i", async (at) => {
    const { response } = responseOf([letters.subarray(0, at), letters.subarray(at)]);
    expect(await readBody(response, 100, signal)).toEqual({ text: "aé€😀z", bytes: letters.length });
  });
});

test.each([1, 2, 3])("a text that ends %i bytes into a letter is no whole one", async (cut) => {
  const bytes = bytesOf("{}😀").subarray(0, 2 + cut);
  const { response } = responseOf([bytes]);
  expect(await readBody(response, 100, signal)).toEqual({
    text: "{}",
    bytes: 2 + cut,
    problem: "broken off",
    cause: expect.any(TypeError),
  });
});

test("what is no UTF-8 is broken off before it", async () => {
  const { response } = responseOf([bytesOf("ok"), Uint8Array.of(0xff)]);
  expect(await readBody(response, 100, signal)).toMatchObject({
    text: "ok",
    bytes: 3,
    problem: "broken off",
  });
});

test("a body of exactly so many bytes is read, and one more is too much: the rest is left", async () => {
  const within = responseOf([bytesOf("ab"), bytesOf("cd")]);
  expect(await readBody(within.response, 4, signal)).toEqual({ text: "abcd", bytes: 4 });
  const beyond = responseOf([bytesOf("ab"), bytesOf("cd"), bytesOf("ef")]);
  expect(await readBody(beyond.response, 3, signal)).toEqual({
    text: "ab",
    bytes: 4,
    problem: "more than maxBodyBytes",
  });
  expect(beyond.state.left).toBe(true);
});

test("a connection that breaks leaves what came before, and why", async () => {
  const error = new Error("reset");
  const { response } = responseOf([bytesOf("ab")], error);
  expect(await readBody(response, 100, signal)).toEqual({
    text: "ab",
    bytes: 2,
    problem: "broken off",
    cause: error,
  });
});

test.each([true, false])(
  "an abort that is the time-out is a result, any other rejects: %s",
  async (isTimeout) => {
    const controller = new AbortController();
    const hanging = new Response(new ReadableStream({}));
    const timeout = new Error("late");
    const reading = readBody(hanging, 100, controller.signal, timeout).catch((error: unknown) => ({ error }));
    const reason = isTimeout ? timeout : new Error("enough");
    controller.abort(reason);
    expect(await reading).toEqual(
      isTimeout ? { text: "", bytes: 0, problem: "broken off", cause: timeout } : { error: reason },
    );
  },
);

test.each<[string, unknown, string]>([
  ["no body", { body: null, text: async () => "" }, ""],
  ["a body without a stream", { text: async () => "aé" }, "aé"],
  [
    "the stream of an older library",
    {
      body: (async function* () {
        yield Buffer.from("a");
        yield "é";
      })(),
    },
    "aé",
  ],
])("%s", async (_, response, text) => {
  expect(await readBody(response as Response, 100, signal)).toEqual({ text, bytes: bytesOf(text).length });
});
