import { createHash } from "node:crypto";
import { init } from "@launchdarkly/node-server-sdk";
import { RedisBigSegmentStore } from "@launchdarkly/node-server-sdk-redis";
import { createFixedSource, createRelay } from "@wye/relay";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../scripts/databases/listen.js";
import { redisBigSegments } from "../src/index.js";
import { newPrefix, until } from "./fixtures.js";
import { startRedis } from "./redis-server.js";

const sdkKey = "sdk-11111111-aaaa-4bbb-8ccc-222222222222";
const envId = "0123456789abcdef01234567";
const hashOf = (key: string) => createHash("sha256").update(key).digest("base64");
const people = Array.from({ length: 40 }, (_, index) => `person-${index}`);

/** Big segments of both generations of rules: members, non-members, and those that the rules of the segment decide about. */
const segment = {
  key: "beta",
  version: 1,
  unbounded: true,
  generation: 3,
  salt: "s",
  included: [],
  excluded: [],
  rules: [{ id: "x", clauses: [{ attribute: "key", op: "endsWith", values: ["7"], negate: false }] }],
};
const clause = { attribute: "", op: "segmentMatch", values: ["beta"], negate: false };
const flag = {
  key: "early",
  version: 1,
  on: true,
  prerequisites: [],
  targets: [],
  contextTargets: [],
  rules: [{ id: "r", variation: 0, clauses: [clause], trackEvents: false }],
  fallthrough: { variation: 1 },
  offVariation: 1,
  variations: ["in", "out"],
  salt: "s",
  trackEvents: false,
  trackEventsFallthrough: false,
  debugEventsUntilDate: null,
  clientSideAvailability: { usingMobileKey: true, usingEnvironmentId: true },
  deleted: false,
};

test("the official SDK with the same Redis evaluates as the relay does, reasons included", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const prefix = newPrefix();
  const some = (remainder: number) => people.filter((_, index) => index % 5 === remainder).map(hashOf);
  const patch = {
    environmentId: envId,
    segmentId: "beta.g3",
    previousVersion: "",
    version: "v1",
    changes: { included: { add: [...some(0), ...some(1)] }, excluded: { add: [...some(1), ...some(2)] } },
  };
  const upstream = await listen((req, res) => {
    if (req.url?.startsWith("/sdk/big-segments/revisions")) {
      res.end(JSON.stringify(req.url.includes("after") ? [] : [patch]));
      return;
    }
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    res.write(":\n\n");
  });
  const relay = createRelay({
    environments: {
      production: {
        sdkKey,
        envId,
        source: createFixedSource(JSON.stringify({ flags: { early: flag }, segments: { beta: segment } }))
          .source,
        bigSegments: redisBigSegments({ url: `redis://127.0.0.1:${redis.port}`, prefix }),
      },
    },
    upstream: { stream: upstream, app: upstream },
    events: false,
  });
  onTestFinished(() => relay.close({ within: "100ms" }));
  const address = await listen(relay.handler);
  await until(
    async () => relay.status().environments.production?.bigSegmentStatus?.lastSynchronizedOn ?? 0,
    (time) => time > 0,
  );
  const sdk = init(sdkKey, {
    baseUri: address,
    streamUri: address,
    sendEvents: false,
    bigSegments: {
      store: RedisBigSegmentStore({ redisOpts: { host: "127.0.0.1", port: redis.port }, prefix }),
    },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  onTestFinished(() => sdk.close());
  await sdk.waitForInitialization({ timeout: 20 });
  const seen = new Set<unknown>();
  for (const key of people) {
    const context = Buffer.from(JSON.stringify({ kind: "user", key })).toString("base64url");
    const response = await fetch(`${address}/sdk/evalx/${envId}/contexts/${context}?withReasons=true`);
    const ours: { early: { value: unknown; reason: unknown } } = JSON.parse(await response.text());
    const theirs = await sdk.variationDetail("early", { kind: "user", key }, "fallback");
    expect({ value: ours.early.value, reason: ours.early.reason }).toEqual({
      value: theirs.value,
      reason: theirs.reason,
    });
    seen.add(theirs.value);
  }
  expect([...seen].sort()).toEqual(["in", "out"]);
});
