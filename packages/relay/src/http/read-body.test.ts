import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { withBody } from "./read-body.js";
import { Uploads } from "./uploads.js";

const request = () => Object.assign(new PassThrough(), { headers: {} });

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
