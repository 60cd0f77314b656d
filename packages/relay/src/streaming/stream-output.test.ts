import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Writable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
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

test("that somebody else's writing is taken is not told", async () => {
  const { output, res, told, take } = setUp();
  output.open({}, eventFrame("put", "x"));
  take();
  await turn();
  res.emit("drain");
  expect(told).toEqual([true]);
});

test("what stands between is asked to let go of an event that is not taken at once", () => {
  const { output, res } = setUp();
  let count = 0;
  Object.assign(res, { flush: () => count++ });
  expect([output.open({}, eventFrame("put", "x")), count]).toEqual([false, 1]);
});

describe("on a connection", () => {
  const first = eventFrame("put", "ü");
  const second = eventFrame("patch", "y");

  /** What a client reads, to the end of the connection, of a response that `answer` gives. */
  async function read(answer: (res: ServerResponse, output: StreamOutput) => void, version = "1.1") {
    // A connection that is kept is kept for ever.
    const server = createServer({ keepAliveTimeout: 0 }, (_, res) => {
      res.sendDate = false;
      answer(res, new StreamOutput(res));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    onTestFinished(() => {
      client.destroy();
      server.close();
    });
    client.write(`GET / HTTP/${version}\r\nhost: a\r\n\r\n`);
    let text = "";
    for await (const part of client.setEncoding("utf8")) text += part;
    return text.slice(text.indexOf("\r\n\r\n") + 4);
  }

  const sendBoth = (output: StreamOutput) => {
    output.open({}, first);
    output.write(second);
    output.end();
  };

  test("events are chunks that all readers share, and the connection ends behind the last", async () => {
    const body = await read((_, output) => sendBoth(output));
    expect(body).toBe(`${first.chunk}${second.chunk}0\r\n\r\n`);
  });

  test("the head and the first event leave together, and what follows at once", async () => {
    const corked: number[] = [];
    await read((res, output) => {
      const { socket } = res;
      const write = socket?.write;
      Object.assign(socket ?? {}, {
        write(...parameters: [string]) {
          corked.push(socket?.writableCorked ?? Number.NaN);
          return write?.apply(socket, parameters);
        },
      });
      output.open({}, first);
      corked.push(socket?.writableCorked ?? Number.NaN);
      output.end();
    });
    expect([...new Set(corked)]).toEqual([1, 0]);
  });

  test("a first event that is not taken at once leaves as well, part after part", async () => {
    const large = eventFrame("put", "x".repeat(5_000_000));
    const body = await read((_, output) => {
      expect(output.open({}, large)).toBe(false);
      output.end();
    });
    expect(body.length).toBe(large.chunk.length + "0\r\n\r\n".length);
  });

  test("a reader who knows no chunks gets the events alone", async () => {
    expect(await read((_, output) => sendBoth(output), "1.0")).toBe(`${first.event}${second.event}`);
  });

  test("what stands between gets the events, and is asked to let go of each", async () => {
    const passed: string[] = [];
    const body = await read((res, output) => {
      const { write } = res;
      res.write = (part: Buffer) => {
        passed.push(String(part));
        return write.call(res, part, "utf8");
      };
      Object.assign(res, { flush: () => void passed.push("flush") });
      sendBoth(output);
    });
    expect(passed).toEqual([String(first.event), "flush", String(second.event), "flush"]);
    expect(body).toBe(`${first.chunk}${second.chunk}0\r\n\r\n`);
  });
});
