import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { silentLogger } from "../logger.js";
import { resolveOptions } from "../options/resolve-options.js";
import { createManualClock } from "../testing/manual-clock.js";
import { streamSource } from "./stream-source.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

test.each([
  { isClosed: false, delivered: [8000] },
  { isClosed: true, delivered: [] },
])(
  "a set that is read in many turns is delivered at its end, unless the source is closed in the middle: $isClosed",
  async ({ isClosed, delivered }) => {
    const text = "x".repeat(200);
    const flags = Object.fromEntries(
      Array.from({ length: 8000 }, (_, index) => [`f${index}`, { version: 1, text }]),
    );
    const body = Readable.from([Buffer.from(`event: put\ndata: ${JSON.stringify({ data: { flags } })}\n\n`)]);
    const dispatcher = {
      request: async () => ({ statusCode: 200, headers: { "content-type": "text/event-stream" }, body }),
    };
    const sizes: number[] = [];
    const source = streamSource({
      ...{ label: "a", sdkKey: "sdk-1", filter: undefined, logger: silentLogger, random: () => 0 },
      upstream: resolveOptions({ upstream: { dispatcher, maxEventBytes: 1e7 } }).upstream,
      clock: createManualClock(),
      sink: {
        apply: async ({ items }) => void sizes.push(items.length),
        interrupted: () => {},
        refused: () => {},
      },
    });
    while (!body.readableDidRead) await turn();
    for (let count = 0; count < 4; count++) await turn();
    if (isClosed) source.close();
    for (let count = 0; count < 40 || sizes.length < delivered.length; count++) await turn();
    source.close();
    expect(sizes).toEqual(delivered);
  },
);
