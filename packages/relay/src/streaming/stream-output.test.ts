import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { eventFrame } from "./frame.js";
import { StreamOutput } from "./stream-output.js";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** An output whose reader takes one part when the test says so. */
function setUp() {
  const parts: Buffer[] = [];
  const taken: (() => void)[] = [];
  const writable = new Writable({
    highWaterMark: 1,
    write(part: Buffer, _encoding, done) {
      parts.push(part);
      taken.push(done);
    },
  });
  const heads: unknown[] = [];
  const res = Object.assign(writable, {
    headersSent: false,
    statusCode: 200,
    writeHead: (...head: readonly unknown[]) => void heads.push(head),
  });
  const output = new StreamOutput(res);
  const told: boolean[] = [];
  output.onTaken = (all) => void told.push(all);
  return { output, res, parts, heads, told, take: () => taken.shift()?.() };
}

const kibibytes = 1024;

test.each([
  { size: 5 * kibibytes, sizes: [5] },
  { size: 256 * kibibytes, sizes: [256] },
  { size: 512 * kibibytes, sizes: [256, 256] },
  { size: 600 * kibibytes, sizes: [256, 256, 88] },
])(
  "an event of $size bytes is given in parts of $sizes KiB, each when the last was taken",
  async ({ size, sizes }) => {
    const { output, parts, heads, told, take } = setUp();
    const overhead = eventFrame("put", "").event.length;
    const { event, chunk } = eventFrame("put", "x".repeat(size - overhead));
    expect(output.open({ "X-A": 1 }, { event, chunk })).toBe(false);
    expect(heads).toEqual([[200, { "X-A": 1 }]]);
    for (let count = 1; count <= sizes.length; count++) {
      expect([parts.length, told]).toEqual([count, Array(count - 1).fill(false)]);
      take();
      await turn();
    }
    expect(told).toEqual([...Array(sizes.length - 1).fill(false), true]);
    expect(parts.map(({ length }) => length)).toEqual(sizes.map((one) => one * kibibytes));
    expect(Buffer.concat(parts).equals(event)).toBe(true);
    // The next one is another event.
    expect(output.write(eventFrame("patch", "y"))).toBe(false);
    take();
    await turn();
    expect(told.slice(sizes.length)).toEqual([true]);
    expect(parts.slice(sizes.length).map(String)).toEqual(["event: patch\ndata: y\n\n"]);
  },
);

test("what is ended between two parts ends behind the last of them, and what is ended otherwise at once", async () => {
  const { output, res, parts, take } = setUp();
  output.open({}, eventFrame("put", "x".repeat(600 * kibibytes)));
  output.end();
  for (let count = 1; count <= 3; count++) {
    expect([parts.length, res.writableEnded]).toEqual([count, count === 3]);
    take();
    await turn();
  }
  expect(res.writableFinished).toBe(true);
  const idle = setUp();
  idle.output.open({}, eventFrame("put", "x"));
  idle.output.end();
  expect(idle.res.writableEnded).toBe(true);
});
