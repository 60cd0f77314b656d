import { expect, test } from "vitest";
import { type Change, parseItem, type SourceSink } from "../src/index.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

const headers = { authorization: keys.sdkKey };
const context = Buffer.from('{"key":"u"}').toString("base64url");

/** The text of the flag, which is on or off, with what it says of its version in front and at the end. */
function textOf(on: boolean, front: string, end = ""): string {
  const { version: _, ...rest } = flag("a", 0, { on });
  return `{${front}${JSON.stringify(rest).slice(1, -1)}${end}}`;
}

/** What the flag is, with its version, to whoever polls, evaluates, or opens a stream. */
async function seen({ fetch, open }: Running) {
  const polled = JSON.parse((await fetch("GET", "/sdk/flags/a", { headers })).body);
  const evaluated = JSON.parse((await fetch("GET", `/sdk/evalx/contexts/${context}`, { headers })).body).a;
  const stream = await open("/flags", { headers });
  const streamed = JSON.parse((await stream.next()).data).a;
  stream.close();
  return {
    polled: [polled.on, polled.version],
    evaluated: [evaluated.value, evaluated.version],
    streamed: [streamed.on, streamed.version],
  };
}

const same = (on: boolean, version: number) => ({
  polled: [on, version],
  evaluated: [on, version],
  streamed: [on, version],
});

test.each<[string, front: string, end: string, isNewer: boolean]>([
  ["once, at the end", "", ',"version":6', true],
  ["twice, the older one last", '"version":9,', ',"version":4', false],
  ["twice, the newer one last", '"version":4,', ',"version":6', true],
  ["inside something else as well", '"prerequisites":[],"x":{"version":9},', ',"version":4', false],
  ["with escaped letters", '"\\u0076ersion":6,', "", true],
])(
  "a flag is the same to whoever polls and evaluates when its version stands in it %s",
  async (_, front, end, isNewer) => {
    const relay = await startRelay({ data: { [keys.sdkKey]: { flags: { a: flag("a", 5) } } } });
    const upstream = relay.upstream.environment(keys.sdkKey);
    upstream.write(`event: patch\ndata: {"path":"/flags/a","data":${textOf(false, front, end)}}\n\n`);
    upstream.patch("flags", flag("heard", 1));
    await expect
      .poll(async () => (await relay.fetch("GET", "/sdk/flags/heard", { headers })).status)
      .toBe(200);
    expect(await seen(relay)).toEqual(isNewer ? same(false, 6) : same(true, 5));
  },
);

test.each<[string, (item: ReturnType<typeof parseItem>) => unknown]>([
  ["a copy with another version", (item) => ({ ...item, version: 9 })],
  [
    "a copy that looks like an item",
    (item) => Object.assign(Object.create(Object.getPrototypeOf(item)), item, { version: 9 }),
  ],
])("a source that delivers %s beside the text is refused, and nothing changes", async (_, forge) => {
  let sink: SourceSink | undefined;
  const relay = await startRelay({
    environments: {
      prod: {
        ...keys,
        source(context) {
          sink = context.sink;
          void sink.apply({ extent: "full", items: [parseItem("flags", "a", textOf(true, '"version":5,'))] });
          return { close() {} };
        },
      },
    },
  });
  const forged = forge(parseItem("flags", "a", textOf(false, '"version":4,')));
  // What a program without types may pass.
  const change = { extent: "partial", items: [forged] } as Change;
  await expect(sink?.apply(change)).rejects.toMatchObject({ code: "malformed_data" });
  expect(await seen(relay)).toEqual(same(true, 5));
});
