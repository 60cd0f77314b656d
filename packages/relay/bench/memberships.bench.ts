import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { bench } from "../../../scripts/bench-harness.js";
import { createFixedSource, createRelay, memoryBigSegmentStore, type Relay } from "../src/index.js";
import { contexts, flagsJson } from "./flags.js";

const sdkKey = "sdk-bench";
const envId = "env-bench";
const upstream = { app: "http://127.0.0.1:9", stream: "http://127.0.0.1:9", events: "http://127.0.0.1:9" };

/** The usual flags and one that depends on a segment, big or not. */
function dataWith(segment: object): string {
  const data: { flags: Record<string, object>; segments?: Record<string, object> } = JSON.parse(
    flagsJson(200),
  );
  const clauses = [{ attribute: "", op: "segmentMatch", values: ["beta"], negate: false }];
  data.flags.early = {
    key: "early",
    version: 1,
    on: true,
    rules: [{ id: "r", variation: 0, clauses }],
    fallthrough: { variation: 1 },
    variations: [true, false],
    clientSideAvailability: { usingEnvironmentId: true },
  };
  const beta = { key: "beta", version: 1, included: [], excluded: [], rules: [], salt: "s", ...segment };
  return JSON.stringify({ ...data, segments: { ...data.segments, beta } });
}

/** Starts a relay on these data; gives a request for all flags. */
async function asking(segment: object): Promise<{ ask: () => Promise<void>; close: () => Promise<void> }> {
  const relay: Relay = createRelay({
    upstream,
    environments: {
      bench: {
        sdkKey,
        envId,
        source: createFixedSource(dataWith(segment)).source,
        bigSegments: memoryBigSegmentStore,
      },
    },
    events: false,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  await relay.ready();
  const server = createServer(relay.handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const paths = contexts.map(
    (context) => `/sdk/evalx/${envId}/contexts/${Buffer.from(context).toString("base64url")}`,
  );
  let next = 0;
  return {
    async ask() {
      const { statusCode, body } = await pool.request({
        path: paths[next++ % paths.length] ?? "/",
        method: "GET",
      });
      const text = await body.text();
      if (statusCode !== 200 || !text.includes('"early"')) throw new Error(`${statusCode}: ${text}`);
    },
    async close() {
      await pool.destroy();
      server.closeAllConnections();
      server.close();
      await relay.close({ within: 0 });
    },
  };
}

const big = await asking({ unbounded: true, generation: 1 });
const small = await asking({ included: ["somebody"] });
await bench(
  "all of 200 flags, one of which depends on a segment",
  { "a big one, its membership known": big.ask, "a small one": small.ask },
  { note: "requests over HTTP; what is known of a context is kept for five seconds" },
);
await big.close();
await small.close();
