import { expect, test } from "vitest";
import { createPipelineClient } from "../index.js";

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const health = (bytes: Uint8Array<ArrayBuffer>, token = "s3cret") =>
  createPipelineClient({
    host: "http://h",
    auth: { token },
    fetch: async () => new Response(bytes),
  }).health();

test.each<readonly [what: string, bytes: Uint8Array<ArrayBuffer>, reason: string]>([
  ["nothing", encode(""), "the answer is no JSON: it is empty"],
  ["a text", encode('say "hi"\u0007\n\u202e!'), 'the answer is no JSON: "say \\"hi\\" !"'],
  ["several lines", encode("a\nb\u0000c\n"), 'the answer is no JSON: "a b c "'],
  ["JSON that is cut off", encode('{"a":'), 'the answer is no JSON: "{\\"a\\":"'],
  ["what is no UTF-8", Uint8Array.of(0x7b, 0xff, 0x7d), 'the answer is no JSON: "{\ufffd}"'],
  [
    "JSON with what is no UTF-8",
    Uint8Array.of(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d),
    'the answer is no JSON: "{\\"a\\":\\"\ufffd\\"}"',
  ],
  ["a list", encode("[1]"), 'the answer is no JSON object: "[1]"'],
  ["null", encode("null"), 'the answer is no JSON object: "null"'],
  ["a secret", encode("your s3cret is"), 'the answer is no JSON: "your [redacted] is"'],
  ["120 letters", encode("x".repeat(120)), `the answer is no JSON: "${"x".repeat(120)}"`],
  ["more of them", encode("x".repeat(121)), `the answer is no JSON: "${"x".repeat(120)}"`],
  [
    "a secret at their end",
    encode(`${"x".repeat(117)}s3cret`),
    `the answer is no JSON: "${"x".repeat(117)}[re"`,
  ],
])("an answer of %s is of no use, and shown", async (_, bytes, reason) => {
  await expect(health(bytes)).rejects.toMatchObject({
    ...{ code: "invalid_response", attempts: 1, retryable: false },
    message: expect.stringContaining(`${reason} (GET http://h/apis/v2beta1/healthz)`),
  });
});

test.each<readonly [body: object | null, isTaken: boolean]>([
  [null, true],
  [{}, true],
  [[], false],
])("a deletion that is answered with %j is taken for done: %s", async (body, isTaken) => {
  const fetch = async () => (body === null ? new Response(null) : Response.json(body));
  const deleted = createPipelineClient({ host: "http://h", fetch, retry: false }).runs.delete({ id: "r" });
  const outcome = await deleted.then(
    () => true,
    ({ code }: { readonly code: string }) => code !== "invalid_response",
  );
  expect(outcome).toBe(isTaken);
});

test("an answer without an id is not what was asked for", async () => {
  const fetch = async () => Response.json({ name: "n" });
  const client = createPipelineClient({ host: "http://h", fetch });
  await expect(client.experiments.create("n")).rejects.toMatchObject({
    code: "invalid_response",
    message: expect.stringContaining("the answer is not what was asked for: it has no id (POST http://h/"),
    remedy: "it may have been done all the same: look before you do it again",
  });
});
