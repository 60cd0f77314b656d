import { parseItem } from "@wye/flag-evaluator";
import { expect, test } from "vitest";
import { FlagSet } from "../flag-set.js";
import type { Exchange } from "../http/exchange.js";
import { createManualClock } from "../testing/manual-clock.js";
import { pollAll, pollFlags, pollItem } from "./polling.js";

/** An environment with a flag and a segment, and what those who poll are sent. */
function setUp(ttlMs = 0) {
  const flags = new FlagSet();
  const items = [parseItem("flags", "f", '{"version":1}'), parseItem("segments", "s", '{"version":2}')];
  flags.apply({ extent: "full", items });
  const sent: unknown[] = [];
  const environment = { flags, settings: { ttlMs }, relayOptions: { clock: createManualClock(0) } };
  const ask = (
    poll: (exchange: Exchange) => void,
    { key = "", tag }: { key?: string; tag?: string } = {},
  ) => {
    sent.length = 0;
    const exchange = {
      req: { headers: tag === undefined ? {} : { "if-none-match": tag } },
      res: {
        writeHead: (status: number, headers: object) => void sent.push(status, headers),
        end: () => {},
        getHeader: (name: string) => (name === "vary" ? "Accept" : undefined),
      },
      environment,
      headers: { "X-Request-Id": "7" },
      match: { variables: { key } },
      downloads: { end: (_: unknown, body: unknown) => void sent.push(String(body)) },
    };
    // No more of an exchange is used.
    poll(exchange as unknown as Exchange);
    const [status, headers, body] = sent;
    return { status, headers: headers as Record<string, string>, body };
  };
  return { ask };
}

const flag = '{"version":1}';
const all = `{"flags":{"f":${flag}},"segments":{"s":{"version":2}}}`;
const item = (kind: "flags" | "segments") => (exchange: Exchange) => pollItem(exchange, kind);

test.each([
  ["all flags", pollFlags, undefined, `{"f":${flag}}`],
  ["everything", pollAll, undefined, all],
  ["a flag", item("flags"), "f", flag],
  ["a segment", item("segments"), "s", '{"version":2}'],
])("who has %s already is told so, and otherwise gets it", (_, poll, key = "", body) => {
  const { ask } = setUp();
  const first = ask(poll, { key });
  expect(first).toMatchObject({ status: 200, body, headers: { "X-Request-Id": "7" } });
  const { Etag: tag = "" } = first.headers;
  expect(tag).toMatch(/^relay-/);
  expect(first.headers).not.toHaveProperty("Expires");
  for (const given of [tag, ` ${tag} `]) {
    const again = ask(poll, { key, tag: given });
    expect(again).toEqual({ status: 304, headers: { "X-Request-Id": "7" }, body: undefined });
  }
  expect(ask(poll, { key, tag: `${tag}0` }).status).toBe(200);
});

test("an item that is not there is not found, also when another kind has the key", () => {
  const { ask } = setUp();
  for (const [poll, key] of [
    [item("flags"), "s"],
    [item("segments"), "f"],
    [item("flags"), ""],
  ] as const)
    expect(ask(poll, { key })).toMatchObject({ status: 404, headers: { "X-Request-Id": "7" } });
});

test("where answers may be kept it is said for how long, and for whom", () => {
  const { ask } = setUp(90_000);
  const kept = { Vary: "Accept, Authorization", Expires: "Thu, 01 Jan 1970 00:01:30 GMT" };
  const { headers } = ask(pollFlags);
  expect(headers).toMatchObject(kept);
  expect(ask(pollFlags, { tag: headers.Etag ?? "" })).toMatchObject({ status: 304, headers: kept });
});
