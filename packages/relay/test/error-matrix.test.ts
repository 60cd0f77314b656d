import { describe, expect, test } from "vitest";
import { createManualClock } from "../src/testing/manual-clock.js";
import { flag, keys, type Running, startRelay } from "./start-relay.js";

const context = Buffer.from('{"kind":"user","key":"u"}').toString("base64url");

/** The status of each kind of endpoint when there is data, and when there is none yet or after waiting in vain. */
const statuses = {
  evaluation: { data: 200, none: 503 },
  stream: { data: 200, none: 503 },
  polling: { data: 200, none: 503 },
  events: { data: 202, none: 202 },
  other: { data: 200, none: 200 },
} as const;

interface Row {
  readonly endpoint: string;
  readonly audience: "server" | "mobile" | "browser";
  readonly kind: keyof typeof statuses;
}

const row = (audience: Row["audience"], kind: Row["kind"], ...endpoints: string[]): Row[] =>
  endpoints.map((endpoint) => ({ endpoint, audience, kind }));

const rows = [
  ...row("server", "evaluation", "GET /sdk/evalx/contexts/{context}", "REPORT /sdk/evalx/context"),
  ...row("server", "evaluation", "GET /sdk/evalx/users/{context}", "REPORT /sdk/evalx/user"),
  ...row("server", "evaluation", "GET /sdk/eval/users/{context}", "REPORT /sdk/eval/user"),
  ...row("server", "stream", "GET /all", "GET /flags"),
  ...row(
    "server",
    "polling",
    "GET /sdk/flags",
    "GET /sdk/flags/a",
    "GET /sdk/segments/s",
    "GET /sdk/latest-all",
  ),
  ...row("server", "events", "POST /bulk", "POST /diagnostic"),
  ...row("mobile", "evaluation", "GET /msdk/evalx/contexts/{context}", "REPORT /msdk/evalx/context"),
  ...row("mobile", "evaluation", "GET /msdk/evalx/users/{context}", "REPORT /msdk/evalx/user"),
  ...row("mobile", "evaluation", "GET /msdk/eval/users/{context}", "REPORT /msdk/eval/user"),
  ...row("mobile", "stream", "GET /meval/{context}", "REPORT /meval", "GET /mping"),
  ...row("mobile", "events", "POST /mobile", "POST /mobile/events", "POST /mobile/events/bulk"),
  ...row("mobile", "events", "POST /mobile/events/diagnostic"),
  ...row(
    "browser",
    "evaluation",
    "GET /sdk/evalx/{envId}/contexts/{context}",
    "REPORT /sdk/evalx/{envId}/context",
  ),
  ...row("browser", "evaluation", "GET /sdk/evalx/{envId}/users/{context}", "REPORT /sdk/evalx/{envId}/user"),
  ...row("browser", "evaluation", "GET /sdk/eval/{envId}/users/{context}", "REPORT /sdk/eval/{envId}/users"),
  ...row("browser", "stream", "GET /eval/{envId}/{context}", "REPORT /eval/{envId}", "GET /ping/{envId}"),
  ...row("browser", "events", "POST /events/bulk/{envId}", "POST /events/diagnostic/{envId}"),
  ...row("browser", "other", "GET /a/{envId}.gif", "GET /sdk/goals/{envId}"),
  ...row(
    "browser",
    "other",
    "OPTIONS /eval/{envId}/{context}",
    "OPTIONS /eval/{envId}",
    "OPTIONS /ping/{envId}",
  ),
  ...row(
    "browser",
    "other",
    "OPTIONS /sdk/evalx/{envId}/contexts/{context}",
    "OPTIONS /sdk/evalx/{envId}/context",
  ),
  ...row("browser", "other", "OPTIONS /sdk/evalx/{envId}/users/{context}", "OPTIONS /sdk/evalx/{envId}/user"),
  ...row("browser", "other", "OPTIONS /events/bulk/{envId}", "OPTIONS /events/diagnostic/{envId}"),
  ...row("browser", "other", "OPTIONS /a/{envId}.gif", "OPTIONS /sdk/goals/{envId}"),
];

const refusedKeys = { sdkKey: "sdk-refused", mobileKey: "mob-refused", envId: "env-refused" };
const unknownKeys = { sdkKey: "sdk-unknown", mobileKey: "mob-unknown", envId: "env-unknown" };

/** Calls an endpoint as an SDK with these keys. Of a stream only the head is read. */
async function call(relay: Running, { endpoint, audience, kind }: Row, as = keys, query = "") {
  const [method = "", template = ""] = endpoint.split(" ");
  const path = template.replace("{envId}", String(as.envId)).replace("{context}", context) + query;
  const headers = {
    "content-type": "application/json",
    ...(audience === "browser"
      ? {}
      : { authorization: String(audience === "server" ? as.sdkKey : as.mobileKey) }),
  };
  const body = { GET: undefined, OPTIONS: undefined, POST: "[]", REPORT: '{"kind":"user","key":"u"}' }[
    method
  ];
  const options = { headers, ...(body === undefined ? {} : { body }) };
  if (kind !== "stream") return relay.fetch(method, path, options);
  const stream = await relay.open(path, { method, ...options });
  const answer = {
    status: stream.status,
    body: stream.status === 200 ? (await stream.next()).data : undefined,
  };
  stream.close();
  return answer;
}

const unknownCredential = {
  server: { status: 401 },
  mobile: { status: 401 },
  browser: { status: 404 },
};

describe.each(rows)("$endpoint for $audience", (row) => {
  const { data, none } = statuses[row.kind];
  const unknown = unknownCredential[row.audience];

  test(`is ${data} with data, ${unknown.status} with an unknown or refused key, 404 with an unknown filter`, async () => {
    const relay = await startRelay({
      data: { [keys.sdkKey]: { flags: { a: flag("a", 1) }, segments: { s: { key: "s", version: 1 } } } },
      environments: { prod: keys, refused: refusedKeys },
    });
    expect(await call(relay, row)).toMatchObject({ status: data });
    expect(await call(relay, row, unknownKeys)).toMatchObject(unknown);
    expect(await call(relay, row, refusedKeys)).toMatchObject(unknown);
    expect(await call(relay, row, keys, "?filter=none")).toMatchObject({ status: 404 });
    expect(await call(relay, row, unknownKeys, "?filter=none")).toMatchObject(unknown);
  });

  test(`is ${none} while there is no data, at the start and after initTimeout, and ${data} when it arrives`, async () => {
    const clock = createManualClock();
    const relay = await startRelay({ data: {}, environments: {}, options: { clock } });
    const upstream = relay.upstream.environment(keys.sdkKey);
    upstream.answer("silent");
    const added = relay.relay.environments.add("prod", keys);
    await upstream.opened();
    expect(await call(relay, row)).toMatchObject({ status: none });
    clock.advance(10_000);
    await added;
    expect(await call(relay, row)).toMatchObject({ status: none });
    upstream.put({ flags: { a: flag("a", 1) }, segments: { s: { key: "s", version: 1 } } });
    while (relay.relay.status().status !== "healthy") await new Promise(setImmediate);
    expect(await call(relay, row)).toMatchObject({ status: data });
  });
});
