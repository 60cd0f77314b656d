import http from "node:http";
import { describe, expect, test } from "vitest";
import type { RouterResponse } from "../../src/server/index.js";
import { ask, fullKey, listening, openCatalogue, openRouter, restrictedKey } from "./listening.js";

/** A small generator of numbers from 0 to 1: the same seed gives the same requests. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const vehicles = openCatalogue().vehicles();

const names = [
  "filter[id]",
  "filter[manufacturer.id]",
  "fields[car]",
  "fields[motorbike]",
  "fields[vehicle_brand]",
  "page[size]",
  "page[number]",
  "q",
  "include",
  "sort",
  "filter",
  "filter[]",
  "filter[id][]",
  "fields",
  "page",
  "page[]",
  "",
  "__proto__",
  "constructor",
  "toString",
  "[",
  "]",
  "a",
  "filter[__proto__]",
  "fields[constructor]",
  "ｑ",
  "\u0000",
];

const values = [
  "",
  " ",
  ",",
  ",,",
  "0",
  "1",
  "2",
  "100",
  "101",
  "-1",
  "1e3",
  "01",
  "9007199254740993",
  "model",
  "variant,model",
  "manufacturer",
  "id",
  "type",
  "__proto__",
  "constructor",
  "energy_consumption.average_consumption",
  "id3",
  "VW ID3",
  "tesla model 3",
  "!!!",
  "ë",
  "İ",
  "ß",
  "ﬀ",
  "\u0000",
  "\ud800",
  "🚗",
  "a".repeat(201),
  "a,b,c",
  "null",
  "undefined",
  "NaN",
  "'; drop table vehicles; --",
  "<script>",
  "%",
  "%25",
  "..",
  "\r\n",
  "\\",
  '"',
  "{}",
  "[]",
];

function query(random: () => number): string {
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!;
  const noise = (): string =>
    Array.from({ length: Math.floor(random() * 12) }, () =>
      String.fromCharCode(Math.floor(random() * (random() < 0.8 ? 128 : 65_536))),
    ).join("");
  const escaped = (text: string): string => {
    const how = random();
    if (how < 0.5) return encodeURIComponent(text.toWellFormed());
    // As it is, which no client should send.
    if (how < 0.9) return text.replace(/[&#=]/g, "");
    return [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join("");
  };
  const value = (): string => {
    const how = random();
    if (how < 0.6) return pick(values);
    if (how < 0.75) return pick(vehicles).id;
    if (how < 0.8) return pick(vehicles).manufacturer.id;
    if (how < 0.9) return noise();
    return String(Math.floor(random() * 400) - 50);
  };
  const count = Math.floor(random() * 5);
  return Array.from({ length: count }, () => {
    const name = random() < 0.9 ? pick(names) : noise();
    return random() < 0.05 ? escaped(name) : `${escaped(name)}=${escaped(value())}`;
  }).join(random() < 0.02 ? "&&" : "&");
}

/** What is wrong with an answer, or undefined. */
function faultOf({ status, headers, body }: RouterResponse): string | undefined {
  if (status === 304) return body.length === 0 ? undefined : "304 with a body";
  if (status !== 200 && (status < 400 || status > 499)) return `status ${status}`;
  if (headers["Content-Type"] !== "application/vnd.api+json") return `type ${headers["Content-Type"]}`;
  if (headers["Content-Length"] !== String(body.length)) return "wrong length";
  const document = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  if (status !== 200) {
    const sound = document.errors.every(
      (error: Record<string, unknown>) =>
        error.status === String(status) && error.code !== undefined && error.title !== undefined,
    );
    return sound && document.errors.length > 0 ? undefined : "no error document";
  }
  const { data, included, meta } = document;
  if (data.length > 100 || meta.overall_count < data.length) return "wrong count";
  const linked = new Set(
    data.map(
      (one: { relationships?: { manufacturer: { data: { id: string } } } }) =>
        one.relationships?.manufacturer.data.id,
    ),
  );
  return included.every((brand: { id: string }) => linked.has(brand.id)) ? undefined : "brand without a link";
}

const count = process.env.WYE_ALL_ROUNDS ? 100_000 : 4_000;

describe("fuzz", () => {
  test(`${count} query strings give only 200, 304 and 4xx, each with a valid document`, {
    timeout: 300_000,
  }, async () => {
    const random = seeded(20_261_121);
    const { respond } = openRouter({ cacheBytes: 1_000_000 });
    const statuses = new Map<number, number>();
    const faults: string[] = [];
    let tag = '"none"';
    for (let round = 0; round < count; round++) {
      const url = `/v2/vehicles?${query(random)}`;
      const key = random() < 0.5 ? fullKey : restrictedKey;
      const headers = new Map([
        ["api-key", key],
        ["if-none-match", tag],
      ]);
      const answer = await respond({ method: "GET", url, headers });
      const fault = faultOf(answer);
      if (fault !== undefined) faults.push(`${url}: ${fault}`);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (random() < 0.5) tag = answer.headers.ETag ?? tag;
    }
    expect(faults).toEqual([]);
    expect([...statuses.keys()].sort()).toEqual([200, 304, 400]);
    // Neither kind may be so rare that the other was all that was tried.
    expect(statuses.get(200)).toBeGreaterThan(count / 20);
    expect(statuses.get(400)).toBeGreaterThan(count / 20);
    expect(statuses.get(304)).toBeGreaterThan(count / 2000);
  });

  test("3,000 of them over a socket as well", { timeout: 300_000 }, async () => {
    const random = seeded(7);
    const server = await listening(http.createServer(openRouter().node));
    const faults: string[] = [];
    for (let round = 0; round < 100; round++) {
      await Promise.all(
        Array.from({ length: 30 }, async () => {
          // What Node's own client refuses to send is tried by the suite of raw sockets.
          const target = `/v2/vehicles?${query(random)}`.replace(/[^\u0021-\u007e]/g, "%20");
          const { status, text } = await ask(server.origin, target);
          const document = JSON.parse(text);
          const sound =
            status === 200 ? Array.isArray(document.data) : status === 400 && Array.isArray(document.errors);
          if (!sound) faults.push(`${target}: ${status}`);
        }),
      );
    }
    await server.close();
    expect(faults).toEqual([]);
  });
});
