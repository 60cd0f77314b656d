import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { startVictim, type Victim } from "./hostile/hostile-strangers.js";
import { createRandom } from "./hostile/random.js";
import { hostileRequest } from "./hostile/requests.js";
import { nested } from "./hostile/shapes.js";

const seed = Number(process.env.WYE_HOSTILE_SEED ?? 12);
const msPerMegabyte = 50;
const megabyte = 1024 * 1024;
/** Everything that the relay may answer; 500 would be a mistake of ours. */
const expected = [200, 202, 204, 301, 304, 400, 401, 404, 405, 408, 413, 415, 431, 502, 503, undefined];

const reference = JSON.stringify(
  Array.from({ length: 20_000 }, (_, n) => ({ n, key: `key-${n}`, value: [n, "x"] })),
);
/** What parsing and writing the reference takes on a machine for which the bound is meant. */
const referenceMs = 10;

/** What parsing and writing a text takes just now, in milliseconds of the processor; nothing if it is no JSON. */
function costOf(text: string): number {
  const began = process.cpuUsage();
  try {
    JSON.stringify(JSON.parse(text));
  } catch {
    return 0;
  }
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

/** How many times slower than such a machine this one is just now; at least 1. */
const slowness = () => Math.max(1, costOf(reference) / referenceMs);

/** An object with very many members takes more of any program: a turn may take so many times what parsing and writing does. */
const timesItsOwnCost = 3;

/** Does something and sees to it that no turn took longer than its input allows, the flush afterwards included. */
async function watched(victim: Victim, what: string, input: string, act: () => Promise<void>): Promise<void> {
  const megabytes = Math.max(1, Buffer.byteLength(input) / megabyte);
  const turns: number[] = [];
  let allowedMs = 0;
  // A machine with other work makes a turn long now and then, but not five times.
  for (let attempt = 0; attempt < 5; attempt++) {
    await victim.settle();
    await act();
    const { longestTurnMs, errors } = await victim.settle();
    allowedMs = Math.max(allowedMs, slowness() * msPerMegabyte * megabytes);
    expect(errors, what).toEqual([]);
    turns.push(Math.round(longestTurnMs));
    if (longestTurnMs <= allowedMs) return;
    allowedMs = Math.max(allowedMs, timesItsOwnCost * costOf(input));
    if (longestTurnMs <= allowedMs) return;
  }
  expect.fail(`${what}: the longest turns took ${turns.join(", ")} ms; ${allowedMs} ms are allowed`);
}

/** Half a minute on a machine that does nothing else. */
const slowMs = 300_000;

test(
  `100,000 hostile requests and events: answers, no long turn, nothing broken upstream, memory returns (seed ${seed})`,
  async () => {
    const victim = await startVictim();
    let requests = 0;
    let events = 0;
    let held = 0;
    for (let chunk = 0; requests + events < 100_000; chunk++) {
      await watched(victim, `chunk ${chunk}`, "", async () => {
        const random = createRandom(seed + chunk * 7919);
        let left = 500;
        // The next one is thought out while others are being answered.
        const stranger = async () => {
          while (left-- > 0) {
            const { bytes, abortAt, events: sent } = hostileRequest(random);
            const status = await victim.send(bytes, abortAt);
            if (!expected.includes(status)) {
              expect.fail(`${status} is the answer to ${bytes.toString("latin1").slice(0, 300)}`);
            }
            requests += 1;
            events += sent;
          }
        };
        await Promise.all(Array.from({ length: 10 }, stranger));
      });
      // The first chunks fill what is filled once: code, pools, remembered contexts.
      if (chunk < 4) held = await victim.heldBytes();
    }
    expect(victim.broken).toEqual([]);
    expect(victim.received()).toBeGreaterThan(1000);
    expect((await victim.heldBytes()) - held).toBeLessThan(24 * megabyte);
  },
  slowMs,
);

/** A request with a body, as bytes. */
function requestOf(method: string, path: string, headers: Record<string, string>, body: Buffer): Buffer {
  const lines = Object.entries({ host: "x", "content-length": String(body.length), ...headers });
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), body]);
}

const verbatim = { authorization: "sdk-1", "x-launchdarkly-event-schema": "4" };
const old = { authorization: "sdk-1" };
const many = (count: number, one: (n: number) => string) =>
  `[${Array.from({ length: count }, (_, n) => one(n)).join(",")}]`;
const feature = (n: number, rest: string) =>
  `{"kind":"feature","creationDate":1,"user":{"key":"u${n}"},${rest}}`;
const kinds = (count: number) =>
  `{"kind":"multi",${Array.from({ length: count }, (_, n) => `"k${n}":{"key":"x"}`).join(",")}}`;

const attributes = (count: number, value: (n: number) => string) =>
  `{"kind":"user","key":"u",${Array.from({ length: count }, (_, n) => `"a${n}":${value(n)}`).join(",")}}`;

interface LargeBody {
  readonly text: string;
  readonly headers: Record<string, string>;
  readonly path?: string;
  readonly method?: string;
}

const large: Record<string, LargeBody> = {
  "a context of 60,000 attributes": {
    text: attributes(60_000, String),
    headers: { ...old, "content-type": "application/json" },
    path: "/sdk/evalx/context",
    method: "REPORT",
  },
  "a context of 49,998 attributes": {
    text: attributes(49_998, String),
    headers: { ...old, "content-type": "application/json" },
    path: "/sdk/evalx/context",
    method: "REPORT",
  },
  "a context of 24,999 objects": {
    text: attributes(24_999, (n) => `{"x":[${n}]}`),
    headers: { ...old, "content-type": "application/json" },
    path: "/sdk/evalx/context",
    method: "REPORT",
  },
  "an event of an old SDK with 100,000 members": {
    text: `[{"kind":"x",${attributes(100_000, String).slice(1)}]`,
    headers: old,
  },
  "an event of an old SDK whose context has 100,000 attributes": {
    text: `[{"kind":"feature","key":"a","trackEvents":true,"debugEventsUntilDate":1e15,"context":${attributes(100_000, String)}}]`,
    headers: old,
  },
  "10 MB of the smallest events": { text: many(4_000_000, () => "1"), headers: verbatim },
  "10 MB of empty arrays": { text: many(3_000_000, () => "[]"), headers: verbatim },
  "10 MB of empty objects, of old SDKs": { text: many(3_000_000, () => "{}"), headers: old },
  "10 MB of brackets": { text: nested(5_000_000, false), headers: verbatim },
  "one event with 500,000 members": {
    text: `[{"kind":"x",${Array.from({ length: 500_000 }, (_, n) => `"m${n}":1`).join(",")}}]`,
    headers: verbatim,
  },
  "one text of 10 MB": { text: `["${"\\n".repeat(5_000_000)}"]`, headers: verbatim },
  "events about a large flag": {
    text: many(8000, (n) => feature(n, '"key":"large","version":1,"value":{"n":7}')),
    headers: old,
  },
  "events about ever new flags": {
    text: many(9000, (n) => feature(n, `"key":"new${n}","variation":${n},"value":{"n":[${n}]}`)),
    headers: old,
  },
  "events that are tracked, with large contexts": {
    text: many(
      2000,
      (n) =>
        `{"kind":"feature","key":"a","trackEvents":true,"debugEventsUntilDate":1e15,"context":${kinds(20).replace('"x"', `"x${n}"`)}}`,
    ),
    headers: old,
  },
  "an event whose context has 55,000 kinds": {
    text: `[{"kind":"feature","key":"a","context":${kinds(55_000)}}]`,
    headers: old,
  },
  "many events whose contexts have many kinds": {
    text: many(50, (n) => `{"kind":"custom","key":"k${n}","context":${kinds(1000)}}`),
    headers: old,
  },
  "a diagnostic of 10 MB": {
    text: `{"a":"${"x".repeat(10_000_000)}"}`,
    headers: verbatim,
    path: "/diagnostic",
  },
};

test(
  "a large body takes no more than its size allows",
  async () => {
    const victim = await startVictim();
    const warm = requestOf(
      "POST",
      "/bulk",
      old,
      Buffer.from(many(500, (n) => feature(n, '"key":"a","value":1'))),
    );
    for (let n = 0; n < 20; n++) await victim.send(warm);
    for (const [name, { text, headers, path = "/bulk", method = "POST" }] of Object.entries(large)) {
      const input = text.slice(0, 10 * megabyte);
      const body = Buffer.from(input);
      await watched(victim, name, input, async () => {
        expect([200, 202, 400], name).toContain(await victim.send(requestOf(method, path, headers, body)));
      });
      if (method === "REPORT") continue;
      const packed = gzipSync(body, { level: 1 });
      await watched(victim, `${name}, packed`, input, async () => {
        const sent = requestOf("POST", path, { ...headers, "content-encoding": "gzip" }, packed);
        expect([202, 400], name).toContain(await victim.send(sent));
      });
    }
    expect(victim.broken).toEqual([]);
  },
  slowMs,
);
