import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { withBody } from "./read-body.js";
import { Uploads } from "./uploads.js";

const request = () => Object.assign(new PassThrough(), { headers: {} });

/** What becomes of the body of a request. */
function kindOf(
  req: ReturnType<typeof request>,
  { maxBytes = 8000, uploads = new Uploads(100_000) } = {},
): Promise<string> {
  return withBody(req, { maxBytes, uploads }, ({ kind }) => kind);
}

test("a body that has arrived keeps its room until it was used: what comes meanwhile gives way", async () => {
  const bounds = { maxBytes: 8000, uploads: new Uploads(10_000) };
  let used = () => {};
  const inUse = new Promise<void>((resolve) => {
    used = resolve;
  });
  const kinds: string[] = [];
  const send = async (before: Promise<void> | undefined) => {
    const req = request();
    req.end(Buffer.alloc(5000));
    await withBody(req, bounds, async ({ kind }) => {
      kinds.push(kind);
      await before;
    });
  };
  const first = send(inUse);
  await expect.poll(() => kinds).toEqual(["body"]);
  await send(undefined);
  expect(kinds).toEqual(["body", "crowded-out"]);
  used();
  await first;
  await send(undefined);
  expect(kinds).toEqual(["body", "crowded-out", "body"]);
});

test("what is held for a body counts, not only what has come of it", async () => {
  const req = request();
  const kind = kindOf(req, { uploads: new Uploads(6000) });
  req.write(Buffer.alloc(3000));
  // Twice as much is held from now on, and more than there is with the request itself.
  req.write(Buffer.alloc(1));
  expect(await kind).toBe("crowded-out");
});

test("a request that has gone before its body is asked for is aborted", async () => {
  const req = request();
  req.destroy();
  await new Promise((resolve) => req.once("close", resolve));
  expect(await kindOf(req)).toBe("aborted");
});

test.each(["close", "error"])("a body that does not come to its end is aborted with %s", async (event) => {
  const req = request();
  const kind = kindOf(req);
  req.write(Buffer.alloc(100));
  req.emit(event, new Error("gone"));
  expect(await kind).toBe("aborted");
});

test.each([
  ["of HTTP/2, whose end tells nothing, was", { stream: {} }, "aborted"],
  ["of HTTP/1 had come to its end, and is there", {}, "body"],
])("a body %s when its connection closes right behind the end", async (_, more, kind) => {
  const req = Object.assign(request(), more);
  const found = kindOf(req);
  req.write(Buffer.alloc(100));
  req.emit("end");
  req.emit("close");
  expect(await found).toBe(kind);
});

test.each(["latin1", "hex", "base64", undefined] as const)(
  "a body that comes as text in %s is the same bytes",
  async (encoding) => {
    const req = request();
    if (encoding !== undefined) req.setEncoding(encoding);
    const sent = Buffer.from([0xe4, 0xff, 0, 0x7b]);
    req.end(sent);
    const bounds = { maxBytes: 4, uploads: new Uploads(100_000) };
    expect(await withBody(req, bounds, (found) => found)).toEqual({
      kind: "body",
      bytes: sent,
      decoded: false,
    });
  },
);

test("a body that was held back arrives", async () => {
  const req = request();
  req.pause();
  req.end(Buffer.alloc(100));
  expect(await kindOf(req)).toBe("body");
});

test("of a body that is refused no more is read, and what comes next has its room", async () => {
  const uploads = new Uploads(12_000);
  const req = request();
  const kind = kindOf(req, { uploads });
  req.write(Buffer.alloc(7000));
  req.write(Buffer.alloc(2000));
  expect(await kind).toBe("too-large");
  expect([req.isPaused(), req.listenerCount("data")]).toEqual([true, 0]);
  const next = request();
  next.end(Buffer.alloc(8000));
  expect(await kindOf(next, { uploads })).toBe("body");
});

test("what is refused of a body takes no room from others", async () => {
  const uploads = new Uploads(12_000);
  const [other, large] = [request(), request()];
  const kinds = [other, large].map((req) => kindOf(req, { uploads }));
  other.write(Buffer.alloc(3000));
  large.write(Buffer.alloc(9000));
  expect(await kinds[1]).toBe("too-large");
  other.end();
  expect(await kinds[0]).toBe("body");
});

test.each([
  { begins: [0x1f, 0x8b], decoded: false },
  { begins: [0x1f, 0x7b], decoded: true },
  { begins: [0x7b, 0x8b], decoded: true },
])(
  "whether what was left of a body is packed is told by its first bytes: $begins",
  async ({ begins, decoded }) => {
    const body = Buffer.from([...begins, 0, 0]);
    const req = Object.assign(request(), { body });
    await req.resume().end().toArray();
    const bounds = { maxBytes: 4, uploads: new Uploads(100_000) };
    expect(await withBody(req, bounds, (left) => left)).toEqual({ kind: "body", bytes: body, decoded });
  },
);
