import { expect, onTestFinished, test } from "vitest";
import { createFakeUpstream } from "./fake-upstream.js";

/** An environment of a stand-in, and a way to its stream. */
async function setUp() {
  const upstream = await createFakeUpstream({ environments: { "sdk-1": {} } });
  onTestFinished(() => upstream.close());
  const open = (signal: AbortSignal = new AbortController().signal) =>
    fetch(`${upstream.url}/all`, { headers: { authorization: "sdk-1" }, signal });
  return { stream: upstream.environment("sdk-1"), open };
}

const put = (flags: object) =>
  `event: put\ndata: ${JSON.stringify({ path: "/", data: { flags, segments: {} } })}\n\n`;

test("what is sent and written arrives, and an orderly end is one", async () => {
  const { stream, open } = await setUp();
  const response = await open();
  stream.patch("flags", { key: "a", version: 2 });
  stream.delete("segments", "s", 3);
  stream.write(": half");
  await stream.trickle("data: ü\n\n", 1);
  expect(stream.connections).toBe(1);
  stream.end();
  expect(stream.connections).toBe(0);
  expect(await response.text()).toBe(
    `${put({})}event: patch\ndata: {"path":"/flags/a","data":{"key":"a","version":2}}\n\nevent: delete\ndata: {"path":"/segments/s","version":3}\n\n: halfdata: ü\n\n`,
  );
});

test("a stream that is dropped breaks off, and one whose reader has gone is not open any more", async () => {
  const { stream, open } = await setUp();
  const dropped = await open();
  stream.drop();
  expect(stream.connections).toBe(0);
  await expect(dropped.text()).rejects.toThrow();
  const leaving = new AbortController();
  await open(leaving.signal);
  expect(stream.connections).toBe(1);
  leaving.abort();
  await expect.poll(() => stream.connections, { interval: 5 }).toBe(0);
});

test("streams begin as told: with the data of now, in silence, or not at all, and all of them count", async () => {
  const { stream, open } = await setUp();
  stream.put({ flags: { a: { version: 1 } } });
  const full = await open();
  stream.answer("silent");
  const silent = await open();
  stream.answer(503);
  expect((await open()).status).toBe(503);
  await stream.opened(3);
  let isOpened = false;
  const fourth = stream.opened(4).then(() => {
    isOpened = true;
  });
  await new Promise(setImmediate);
  expect([isOpened, stream.connections]).toEqual([false, 2]);
  stream.answer("data");
  stream.end();
  expect([await full.text(), await silent.text()]).toEqual([put({ a: { version: 1 } }), ":\n"]);
  await open();
  await fourth;
});
