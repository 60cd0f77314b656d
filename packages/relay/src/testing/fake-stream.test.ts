import { ServerResponse } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
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

test("whoever waits for several streams waits for all of them, others beside it for as many as they named", async () => {
  const { stream, open } = await setUp();
  const opened: string[] = [];
  const waiting = [3, 1, 2, 3].map((count) => stream.opened(count).then(() => opened.push(`${count}`)));
  waiting.push(stream.opened().then(() => opened.push("any")));
  await new Promise(setImmediate);
  expect(opened).toEqual([]);
  for (const expected of [
    ["1", "any"],
    ["1", "2", "any"],
    ["1", "2", "3", "3", "any"],
  ]) {
    await open();
    expect(opened.toSorted()).toEqual(expected);
  }
  await Promise.all([...waiting, stream.opened(3)]);
});

test("what is sent and written goes to all that are open, and to none that comes later", async () => {
  const { stream, open } = await setUp();
  const both = [await open(), await open()];
  stream.send("any", { a: [1] });
  stream.write(new Uint8Array([0x3a, 0xff, 0x0a]));
  const later = await open();
  expect(stream.connections).toBe(3);
  stream.end();
  for (const one of both) expect(await one.text()).toBe(`${put({})}event: any\ndata: {"a":[1]}\n\n:\ufffd\n`);
  expect(await later.text()).toBe(put({}));
});

test("what trickles comes in pieces of that many bytes, the last one with the rest, each in a turn of its own", async () => {
  const { stream, open } = await setUp();
  await open();
  const write = vi.spyOn(ServerResponse.prototype, "write");
  onTestFinished(() => write.mockRestore());
  const pieces = () => write.mock.calls.map(([piece]) => Buffer.from(piece).toString("latin1"));
  const trickled = stream.trickle("abcd\u00fc\u00e9f", 4);
  expect(pieces()).toEqual(["abcd"]);
  await new Promise(setImmediate);
  expect(pieces()).toEqual(["abcd", "\xc3\xbc\xc3\xa9"]);
  await trickled;
  expect(pieces()).toEqual(["abcd", "\xc3\xbc\xc3\xa9", "f"]);
});

test("a stream says what it is, a status is all that else comes, and an answer holds until there is another", async () => {
  const { stream, open } = await setUp();
  const first = await open();
  expect([first.status, first.headers.get("content-type")]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
  ]);
  stream.answer(404);
  for (const response of [await open(), await open()])
    expect([response.status, await response.text()]).toEqual([404, ""]);
  stream.end();
  expect(await first.text()).toBe(put({}));
});

test("data that is only set is heard by streams that come, data that is put by those that are open too", async () => {
  const { stream, open } = await setUp();
  const first = await open();
  stream.setData({ segments: { gone: { version: 1 } } });
  stream.setData({ flags: { a: { version: 1 } } });
  const second = await open();
  stream.put({ flags: { a: { version: 2 } } });
  stream.patch("segments", { key: "s", version: 3 });
  stream.delete("flags", "a", 4);
  const third = await open();
  stream.end();
  const patches = `event: patch\ndata: {"path":"/segments/s","data":{"key":"s","version":3}}\n\nevent: delete\ndata: {"path":"/flags/a","version":4}\n\n`;
  expect(await first.text()).toBe(`${put({})}${put({ a: { version: 2 } })}${patches}`);
  expect(await second.text()).toBe(`${put({ a: { version: 1 } })}${put({ a: { version: 2 } })}${patches}`);
  expect(await third.text()).toBe(put({ a: { version: 2 } }));
});
