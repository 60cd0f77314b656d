import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { silentLogger } from "../logger.js";
import { resolveOptions } from "../options/resolve-options.js";
import type { UpstreamAnswer, UpstreamRequest } from "../options/resolved-sections.js";
import { createManualClock } from "../testing/manual-clock.js";
import { announcementStream } from "./announcement-stream.js";

/** A stream of these messages that goes on for ever. */
function stream(...messages: readonly (readonly [name: string, data: object])[]): UpstreamAnswer {
  const body = new Readable({ read() {} });
  for (const [name, data] of messages)
    body.push(`${name === "" ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
  return { statusCode: 200, headers: { "content-type": "text/event-stream" }, body };
}
const refusal = (): UpstreamAnswer => ({ statusCode: 401, headers: {}, body: Readable.from([]) });
const put = ["put", { path: "/", data: { environments: {}, filters: {} } }] as const;

/** What is heard of an upstream that gives one answer after the other, and then none any more. */
function setUp(...answers: readonly UpstreamAnswer[]) {
  const clock = createManualClock();
  const asked: UpstreamRequest[] = [];
  const heard: string[] = [];
  const dispatcher = {
    request(request: UpstreamRequest): Promise<UpstreamAnswer> {
      const answer = answers[asked.length];
      asked.push(request);
      if (answer === undefined) return new Promise(() => {});
      answer.body.on("error", () => {});
      request.signal.addEventListener("abort", () => answer.body.destroy());
      return Promise.resolve(answer);
    },
  };
  const source = announcementStream({
    key: "rel-1",
    upstream: resolveOptions({ upstream: { dispatcher, stream: "http://upstream" } }).upstream,
    clock,
    random: () => 1 / 3,
    logger: { ...silentLogger, warn: (line) => void heard.push(line) },
    sink: {
      apply: ({ isWhole }) => void heard.push(`apply ${isWhole}`),
      interrupted: (kind, message) => void heard.push(`${kind} ${message}`),
      refused: (message) => void heard.push(`refused: ${message}`),
    },
  });
  onTestFinished(() => source.close());
  const next = async (count: number) => {
    await expect.poll(() => heard.length).toBeGreaterThanOrEqual(count);
    return heard.splice(0);
  };
  return { clock, asked, heard, source, next };
}

const name = "[automatic configuration]";

test("the stream is asked for with the key of automatic configuration, and what it says is applied", async () => {
  const { asked, next } = setUp(stream(put));
  expect(await next(1)).toEqual(["apply true"]);
  expect(asked).toMatchObject([
    {
      origin: "http://upstream",
      path: "/relay_auto_config?rpacProtocolVersion=2",
      headers: { authorization: "rel-1" },
    },
  ]);
});

test("what is passed over is told of, and nothing else of the stream is lost", async () => {
  const { next } = setUp(stream(["other", {}], ["", {}], put));
  expect(await next(5)).toEqual([
    `${name} there is no event "other"`,
    "apply false",
    `${name} there is no event "message"`,
    "apply false",
    "apply true",
  ]);
});

test("upstream may ask for a new connection, and what cannot be used leads to one", async () => {
  const { asked, clock, next } = setUp(
    stream(["reconnect", {}]),
    stream(["patch", { path: "/environments/a" }]),
    stream(put),
  );
  expect(await next(1)).toEqual([
    `${name} stream: upstream asks for a new connection; connecting again in 833 ms`,
  ]);
  clock.advance(833.4);
  expect((await next(2))[0]).toMatch(/^INVALID_DATA /);
  clock.advance(60_000);
  expect(await next(1)).toEqual(["apply true"]);
  expect(asked).toHaveLength(3);
});

test("a key that is refused is tried ever more slowly, and anew when it was accepted for a minute", async () => {
  const { clock, asked, next } = setUp(refusal(), refusal(), stream(put), refusal());
  const refused = (ms: number) => [
    expect.stringMatching(/^refused: .*401/),
    `${name} asking again in ${ms} ms`,
  ];
  expect(await next(2)).toEqual(refused(8333));
  clock.advance(8333);
  expect(asked).toHaveLength(1);
  clock.advance(1);
  expect(await next(2)).toEqual(refused(16_667));
  clock.advance(16_667);
  expect(await next(1)).toEqual(["apply true"]);
  clock.advance(60_000);
  asked[2]?.signal.dispatchEvent(new Event("abort"));
  expect((await next(2))[0]).toMatch(/^NETWORK_ERROR /);
  clock.advance(1000);
  expect(await next(2)).toEqual(refused(8333));
});

test("what is closed asks for nothing any more, neither from a connection nor from a pause", async () => {
  const connected = setUp(stream(put), stream(put));
  await connected.next(1);
  connected.source.close();
  expect(connected.asked[0]?.signal.aborted).toBe(true);
  const paused = setUp(refusal(), stream(put));
  await paused.next(2);
  paused.source.close();
  for (const { clock, asked, heard } of [connected, paused]) {
    clock.advance(3_600_000);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    expect([asked.length, heard, clock.pending]).toEqual([1, [], 0]);
  }
});
