import { request } from "node:http";
import { expect, test } from "vitest";
import { keys, startRelay } from "./start-relay.js";

const most = 1000;

/** How a body comes: at once or in parts, or read by something in front of the relay. */
const ways = ["with its length", "in parts", "read before"] as const;

const kinds = [
  { path: "/sdk/evalx/context", method: "REPORT", begin: '{"kind":"user","key":"', end: '"}', taken: 200 },
  { path: "/bulk", method: "POST", begin: '["', end: '"]', taken: 202 },
  { path: "/diagnostic", method: "POST", begin: '["', end: '"]', taken: 202 },
];

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly text: string;
  readonly inParts: boolean;
}

/** Sends a body; gives how it was answered, and whether the connection may be used again. */
function send({ url, method, text, inParts }: Sent): Promise<[status: number | undefined, isKept: boolean]> {
  const headers = {
    authorization: keys.sdkKey,
    "content-type": "application/json",
    "x-launchdarkly-event-schema": "4",
    connection: "keep-alive",
    ...(inParts ? {} : { "content-length": text.length }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (res) => {
      res.resume().on("end", () => resolve([res.statusCode, res.headers.connection !== "close"]));
    });
    asked.on("error", reject);
    for (let at = 0; at < text.length; at += 100) asked.write(text.slice(at, at + 100));
    asked.end();
  });
}

for (const { path, method, begin, end, taken } of kinds)
  for (const way of ways)
    test(`a body of ${path} that comes ${way} may have what is allowed, to the byte`, async () => {
      const { url } = await startRelay({
        options: { maxContextBytes: most, events: { maxBodyBytes: most } },
        mount: (relay) => (req, res) => {
          if (way !== "read before") return void relay.handler(req, res);
          const parts: Buffer[] = [];
          req.on("data", (part: Buffer) => parts.push(part));
          req.on("end", () => relay.handler(Object.assign(req, { body: Buffer.concat(parts) }), res));
        },
      });
      for (const { size, status } of [
        { size: most - 1, status: taken },
        { size: most, status: taken },
        { size: most + 1, status: 413 },
      ]) {
        const text = begin + "x".repeat(size - begin.length - end.length) + end;
        const answer = await send({ url: url + path, method, text, inParts: way === "in parts" });
        expect(answer, `${size}`).toEqual([status, status !== 413]);
      }
    });

for (const { path, method, begin, end, taken } of kinds)
  test(`a body of ${path} that is on its way longest gives way to others when there is no room`, async () => {
    let begun = 0;
    const { url } = await startRelay({
      options: { maxContextBytes: 4000, events: { maxBodyBytes: 4000 }, maxUploadBytes: 8000 },
      mount: (relay) => (req, res) => {
        begun++;
        relay.handler(req, res);
      },
    });
    const post = () => {
      const headers = { authorization: keys.sdkKey, "content-type": "application/json" };
      const asked = request(url + path, { method, headers, agent: false });
      const answered = new Promise<[status: number | undefined, text: string]>((resolve) => {
        asked.on("response", async (res) => resolve([res.statusCode, (await res.toArray()).join("")]));
      });
      // The relay ends the connection of one that it does not take.
      asked.on("error", () => {});
      asked.write(begin + "x".repeat(3500));
      return { asked, answered };
    };
    const oldest = post();
    await expect.poll(() => begun).toBe(1);
    const newer = post();
    expect(await oldest.answered).toEqual([503, '{"message":"too many request bodies are on their way"}']);
    newer.asked.end(end);
    expect((await newer.answered)[0]).toBe(taken);
  });
