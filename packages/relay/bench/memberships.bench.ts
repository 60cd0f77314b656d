import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { figures } from "../../../scripts/bench-harness.js";
import { createFixedSource, createRelay, memoryBigSegmentStore } from "../src/index.js";
import { createManualClock } from "../src/testing/index.js";
import { type Served, serveIfChild } from "./child.js";
import { contexts, flagsJson } from "./flags.js";
import { measureServers, type Request } from "./measure-servers.js";

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

/** A relay on these data. */
async function relayWith(segment: object): Promise<Served> {
  const relay = createRelay({
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
    // What is known of a context is asked for again after five seconds: here those are never over, however busy the machine is.
    clock: createManualClock(),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  await relay.ready();
  const server = createServer(relay.handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port };
}

await serveIfChild({
  big: () => relayWith({ unbounded: true, generation: 1 }),
  small: () => relayWith({ included: ["somebody"] }),
});

const encoded = contexts.map((text) => Buffer.from(text).toString("base64url"));
const request: Request = (index) => ({
  method: "GET",
  path: `/sdk/evalx/${envId}/contexts/${encoded[index % encoded.length]}`,
});
figures(
  "all of 200 flags, one of which depends on a segment",
  await measureServers(
    {
      "a big one, its membership known": { server: "big", request },
      "a small one": { server: "small", request },
    },
    4000,
  ),
  {
    unit: "µs CPU",
    baseline: "a small one",
    note: "The clock stands still: what is known of a context stays known.",
  },
);
