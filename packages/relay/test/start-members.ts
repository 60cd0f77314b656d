import { createHash } from "node:crypto";
import { onTestFinished } from "vitest";
import {
  type BigSegmentUpstream,
  startBigSegmentUpstream,
  type UpstreamPatch,
} from "../../../scripts/databases/big-segment-upstream.js";
import type { BigSegmentStore } from "../src/big-segments/big-segment-store.js";
import { memoryBigSegmentStore } from "../src/big-segments/memory-big-segment-store.js";
import type { RelayOptions } from "../src/options/options.js";
import type { EnvironmentStatus } from "../src/status-document.js";
import type { FakeItem } from "../src/testing/fake-environment.js";
import { createStoreContext } from "../src/testing/store-context.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

export const sdk: { authorization: string } = { authorization: keys.sdkKey };
export const hashOf = (key: string): string => createHash("sha256").update(key).digest("base64");
type Item = FakeItem & { readonly key: string };

export const beta: Item = { key: "beta", version: 1, unbounded: true, generation: 2, salt: "s", rules: [] };
export const clause: FakeItem = { attribute: "", op: "segmentMatch", values: ["beta"], negate: false };
export const rule: FakeItem = { id: "r", variation: 0, clauses: [clause], trackEvents: false };
export const early: Item = flag("early", 1, {
  rules: [rule],
  fallthrough: { variation: 1 },
  variations: ["in", "out"],
});

export const patch = (
  previousVersion: string,
  version: string,
  included: { add?: string[]; remove?: string[] },
): UpstreamPatch => ({
  environmentId: keys.envId,
  segmentId: "beta.g2",
  previousVersion,
  version,
  changes: { included },
});

export interface WithMembers extends Running {
  readonly members: BigSegmentUpstream;
  readonly store: BigSegmentStore;
  ask(name: string): Promise<{ value: unknown; reason?: { bigSegmentsStatus?: string } }>;
  pathFor(name: string): string;
}

export async function start({
  store = memoryBigSegmentStore(createStoreContext()),
  segments = { beta },
  options = {},
}: {
  store?: BigSegmentStore;
  segments?: Record<string, FakeItem>;
  options?: RelayOptions;
} = {}): Promise<WithMembers> {
  const members = await startBigSegmentUpstream();
  onTestFinished(() => members.close());
  members.history.push(patch("", "v1", { add: [hashOf("alice")] }));
  const running = await startRelay({
    data: { [keys.sdkKey]: { flags: { early, plain: flag("plain", 1) }, segments: { ...segments } } },
    environments: { prod: { ...keys, bigSegments: () => store } },
    options,
    // Flags come from one stand-in, memberships from the other.
    reach: async ({ roles }) => {
      const both = await joinUpstreams(roles.stream, members.url);
      return { ...roles, stream: both.url, polling: members.url };
    },
  });
  const pathFor = (name: string) =>
    Buffer.from(JSON.stringify({ kind: "user", key: name })).toString("base64url");
  return {
    ...running,
    members,
    store,
    pathFor,
    async ask(name) {
      const answer = await running.fetch(
        "GET",
        `/sdk/evalx/${keys.envId}/contexts/${pathFor(name)}?withReasons=true`,
      );
      return JSON.parse(answer.body).early;
    },
  };
}

/** One address for streams: flags from one server, big segments from another. */
async function joinUpstreams(flags: string, bigSegments: string): Promise<{ readonly url: string }> {
  const { createServer, request } = await import("node:http");
  const server = createServer((req, res) => {
    const base = req.url?.startsWith("/big-segments") ? bigSegments : flags;
    const passed = request(base + (req.url ?? ""), { headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      res.flushHeaders();
      answer.pipe(res);
      answer.on("error", () => res.destroy());
    });
    res.on("close", () => passed.destroy());
    passed.on("error", () => res.destroy());
    passed.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}` };
}

export async function until(enough: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await enough())) await new Promise((resolve) => setTimeout(resolve, 5));
}

export const statusOf = ({ relay }: WithMembers): EnvironmentStatus["bigSegmentStatus"] =>
  relay.status().environments.prod?.bigSegmentStatus;
