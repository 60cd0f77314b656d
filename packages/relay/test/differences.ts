import { isDeepStrictEqual } from "node:util";
import { canonicalBody, canonicalEvents } from "./canonical-item.js";
import type { Difference } from "./difference.js";
import { postDifferences } from "./post-differences.js";
import type { ComparablePost, ComparableResponse, Observation, ReplayedStep, StreamEvent } from "./replay.js";

type Response = ComparableResponse;

/** An adjustment of responses only. */
function response(change: (recorded: Response, step: ReplayedStep) => Response): Difference["adjust"] {
  return (recorded, step) =>
    recorded.kind === "response" ? { kind: "response", value: change(recorded.value, step) } : recorded;
}

/** An adjustment of the events of a stream, whether they came with a response or later. */
function events(
  change: (events: readonly StreamEvent[], step: ReplayedStep) => readonly StreamEvent[],
): Difference["adjust"] {
  return (recorded, step) => {
    if (recorded.kind === "events") return { kind: "events", value: change(recorded.value, step) };
    if (recorded.kind !== "response" || recorded.value.events === undefined) return recorded;
    return { kind: "response", value: { ...recorded.value, events: change(recorded.value.events, step) } };
  };
}

function withHeaders(recorded: Response, headers: Record<string, string>): Response {
  return { ...recorded, headers: { ...recorded.headers, ...headers } };
}

const plainText = { "content-type": "text/plain; charset=utf-8" };
const is = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Takes the answer as it is now, after looking at what matters about it. */
function asNow(step: ReplayedStep, holds: (actual: Response) => boolean, recorded: Response): Response {
  return step.actual.kind === "response" && holds(step.actual.value) ? step.actual.value : recorded;
}

const browserPath =
  /^\/(?:eval|ping|a|events\/(?:bulk|diagnostic)|sdk\/goals)\/|^\/sdk\/evalx?\/(?:[0-9a-f]{24}|unknown)\//;

function isBrowser(step: ReplayedStep): boolean {
  return browserPath.test(step.request?.path ?? "");
}

/** The differences that the recordings show. */
export const differences: readonly Difference[] = [
  {
    id: "allow-header",
    reference: "405 has no `Allow` header.",
    here: "405 names the methods of the path in `Allow`.",
    reason: "RFC 9110 requires it.",
    adjust: response((recorded, step) => {
      const allow = step.actual.kind === "response" ? step.actual.value.headers.allow : undefined;
      return recorded.status === 405 && allow !== undefined ? withHeaders(recorded, { allow }) : recorded;
    }),
  },
  {
    id: "encoded-slash",
    reference: "A percent-encoded `/` in a flag key makes the path unknown.",
    here: "It belongs to the key.",
    reason: "The flag could not be polled at all.",
    adjust: response((recorded, step) =>
      step.request?.path.includes("%2F") && recorded.status === 404
        ? asNow(step, ({ status }) => [200, 401, 405].includes(status), recorded)
        : recorded,
    ),
  },
  {
    id: "latest-all",
    reference: "`/sdk/latest-all` is unknown.",
    here: "It answers server-side SDKs that poll.",
    reason: "Current SDKs give up for good on a 404 there.",
    adjust: response((recorded, step) =>
      step.request?.path === "/sdk/latest-all"
        ? asNow(step, ({ status }) => [200, 401, 405].includes(status), recorded)
        : recorded,
    ),
  },
  {
    id: "eval-paths",
    reference: "`/sdk/eval/…` and `/msdk/eval/…` are unknown.",
    here: "They give the bare values.",
    reason: "The specification lists them.",
    adjust: response((recorded, step) =>
      /^\/m?sdk\/eval\//.test(step.request?.path ?? "")
        ? asNow(step, ({ status }) => [200, 401, 404, 405].includes(status), recorded)
        : recorded,
    ),
  },
  {
    id: "cors-everywhere",
    reference:
      "Errors of browser endpoints that come before the endpoint itself carry `Access-Control-Allow-Methods` only, 405 not even that; `/events/diagnostic` never carries it.",
    here: "Every answer to a browser carries all CORS headers.",
    reason: "Without them a page cannot see which error it got.",
    adjust: response((recorded, step) => {
      if (!isBrowser(step) || step.actual.kind !== "response") return recorded;
      const { headers } = step.actual.value;
      const missing = Object.fromEntries(
        Object.entries(headers).filter(
          ([name]) => name.startsWith("access-control-") && recorded.headers[name] === undefined,
        ),
      );
      const all = Object.keys(headers).filter((name) => name.startsWith("access-control-")).length === 6;
      return all ? withHeaders(recorded, missing) : recorded;
    }),
  },
  {
    id: "vary-origin",
    reference: "Answers that depend on `Origin` do not say so.",
    here: "Browser endpoints answer `Vary: Origin`.",
    reason: "A shared cache would hand one site's answer to another.",
    adjust: response((recorded, step) =>
      isBrowser(step) && recorded.headers["access-control-allow-origin"] !== undefined
        ? withHeaders(recorded, { vary: "Origin" })
        : recorded,
    ),
  },
  {
    id: "newer-sdk-headers",
    reference: "`X-LaunchDarkly-Instance-Id` and `X-LaunchDarkly-Unsummarized` must be allowed by hand.",
    here: "Browsers may send them.",
    reason: "Current SDKs do.",
    adjust: response((recorded) => {
      const allowed = recorded.headers["access-control-allow-headers"];
      return allowed === undefined || allowed.includes("Instance-Id")
        ? recorded
        : withHeaders(recorded, {
            "access-control-allow-headers": allowed.replace(
              "X-LaunchDarkly-Tags",
              "X-LaunchDarkly-Tags,X-LaunchDarkly-Instance-Id,X-LaunchDarkly-Unsummarized",
            ),
          });
    }),
  },
  {
    id: "stream-origins",
    reference: "Every stream answers `Access-Control-Allow-Origin: *`.",
    here: "Streams of browsers follow the origins of the environment; others have no such header.",
    reason: "`allowedOrigin` was not enforced on streams.",
    adjust: response((recorded, step) => {
      if (recorded.headers["content-type"] !== "text/event-stream; charset=utf-8") return recorded;
      const { "access-control-allow-origin": _, ...headers } = recorded.headers;
      if (!isBrowser(step)) return { ...recorded, headers };
      const origin = step.request?.headers?.origin;
      const restricted = step.request?.path.includes("1123456789abcdef01234567");
      const allowed = ["https://shop.example", "https://b.example"];
      const lists = restricted && step.recorded.kind === "response" && isCorsRecording(step.recorded.value);
      const expected = lists ? (allowed.find((one) => one === origin) ?? allowed[0] ?? "") : (origin ?? "*");
      return { ...recorded, headers: { ...headers, "access-control-allow-origin": expected } };
    }),
  },
  {
    id: "put-form",
    reference: "A `put` that is broadcast writes a deleted item as null.",
    here: "It leaves it out, as the first `put` of a stream does.",
    reason: "SDKs had to understand two forms of the same thing.",
    adjust: events((list) => list.map(withoutNulls)),
  },
  {
    id: "raw-items",
    reference: "Flags and segments are written anew: unknown properties are lost, absent ones get defaults.",
    here: "They are passed on as upstream wrote them.",
    reason: "Old relays broke new features of SDKs.",
    adjust: sameItems,
  },
  {
    id: "stale-items",
    reference: "An item that is not newer than the one at hand is broadcast all the same.",
    here: "It is not.",
    reason: "It brought deleted flags back to life in SDKs that connected after the deletion.",
    adjust: events((list, { step, actual }) => {
      const now = eventsOf(actual);
      const isItem = ({ event }: StreamEvent) => event === "patch" || event === "delete" || event === "ping";
      return step.read !== undefined &&
        now.length === 0 &&
        list.length === 1 &&
        list.every(isItem) &&
        isStale(list)
        ? now
        : list;
    }),
  },
  {
    id: "streams-without-data",
    reference:
      "Streams of an environment that never had data open and stay silent; PHP polling gives an empty set.",
    here: "503.",
    reason: "The specification says so; an SDK would take the empty set for the truth.",
    adjust: response((recorded, step) =>
      recorded.status === 200 && isWithoutData(step)
        ? asNow(
            step,
            ({ status, json }) => status === 503 && is(json) && json.message === "Service not initialized",
            recorded,
          )
        : recorded,
    ),
  },
  {
    id: "events-while-starting",
    reference: "Event posts get 503 until the environment has started.",
    here: "They are taken at once.",
    reason: "Passing events on needs no flags, and the specification has 503 for GET and REPORT only.",
    adjust: response((recorded, step) =>
      step.request?.method === "POST" &&
      recorded.status === 503 &&
      recorded.body === "client was not initialized"
        ? { status: 202, headers: {} }
        : recorded,
    ),
  },
  {
    id: "store-status",
    reference: "`dataStoreStatus` is `INITIALIZING` since 0 while the environment starts.",
    here: "It is `VALID` from the beginning.",
    reason: "The specification: always `VALID` with in-memory storage.",
    adjust: response((recorded) => ({
      ...recorded,
      ...mapEnvironments(recorded, (environment) => {
        const store = environment.dataStoreStatus;
        return is(store) && store.state === "INITIALIZING"
          ? { ...environment, dataStoreStatus: { ...store, state: "VALID" } }
          : environment;
      }),
    })),
  },
  {
    id: "versions",
    reference: "`version` and `clientVersion` are those of the reference and its SDK.",
    here: "They are those of this package and its evaluator.",
    reason: "They tell what is running.",
    adjust: response((recorded, { actual }) => {
      const now = actual.kind === "response" ? actual.value.json : undefined;
      return is(recorded.json) && is(now) && "clientVersion" in recorded.json
        ? { ...recorded, json: { ...recorded.json, version: now.version, clientVersion: now.clientVersion } }
        : recorded;
    }),
  },
  {
    id: "configuration-status",
    reference: "The status does not say where the environments come from.",
    here: "With automatic configuration and offline, `configurationStatus` does.",
    reason: "A key that is refused and a file that is broken show nowhere else.",
    adjust: response((recorded, { actual }) => {
      const now = actual.kind === "response" ? actual.value.json : undefined;
      return is(recorded.json) && is(now) && is(now.configurationStatus) && "clientVersion" in recorded.json
        ? { ...recorded, json: { ...recorded.json, configurationStatus: now.configurationStatus } }
        : recorded;
    }),
  },
  {
    id: "offline-goals",
    reference: "Goals are fetched from upstream in offline mode, too.",
    here: "There are none.",
    reason: "Offline means that nothing is asked.",
    adjust: response((recorded, step) =>
      step.request?.path.startsWith("/sdk/goals/") && recorded.status === 404
        ? asNow(step, ({ status, json }) => status === 200 && isDeepStrictEqual(json, []), recorded)
        : recorded,
    ),
  },
  {
    id: "offline-images",
    reference: "In offline mode posted events are taken and dropped, those in images are answered with 503.",
    here: "Both are taken and dropped.",
    reason: "Pages need not know that nobody listens.",
    adjust: response((recorded, step) =>
      step.request?.path.startsWith("/a/") && recorded.status === 503
        ? asNow(
            step,
            ({ status, headers }) => status === 200 && headers["content-type"] === "image/gif",
            recorded,
          )
        : recorded,
    ),
  },
  {
    id: "content-tags",
    reference: "The `ETag` of polled flags is made from their versions alone.",
    here: "It is made from their contents as well; who still has one of the reference gets everything once more.",
    reason: "Who edits a file by hand forgets versions, and a flag that is made anew begins at 1 again.",
    adjust: response((recorded, step) => {
      const { etag } = recorded.headers;
      const now = step.actual.kind === "response" ? step.actual.value.headers.etag : undefined;
      if (etag !== undefined && now?.startsWith(`${etag}-`)) return withHeaders(recorded, { etag: now });
      // The recorded client has the tag of the reference.
      const had = String(step.request?.headers?.["if-none-match"]).trim();
      const isAnew = recorded.status === 304 && now?.startsWith(`${had}-`);
      return isAnew ? asNow(step, ({ status }) => status === 200, recorded) : recorded;
    }),
  },
  {
    id: "goals-revalidation",
    reference: "Goals that are kept are sent in full even when the browser already has them.",
    here: "304 when `If-None-Match` names them.",
    reason: "That is what the header is for.",
    adjust: response((recorded, step) =>
      step.request?.path.startsWith("/sdk/goals/") && step.request.headers?.["if-none-match"] !== undefined
        ? asNow(step, ({ status }) => status === 304, recorded)
        : recorded,
    ),
  },
  {
    id: "gzip-messages",
    reference: "A body that is not gzip is answered with the text of the decoder.",
    here: "With the message of every other unreadable body, which is JSON.",
    reason: "Such texts change between builds.",
    adjust: response((recorded, step) =>
      recorded.status === 400 && recorded.headers["x-content-type-options"] === "nosniff"
        ? asNow(
            step,
            ({ status, json }) =>
              status === 400 && is(json) && json.message === "unable to read request body",
            recorded,
          )
        : recorded,
    ),
  },
  {
    id: "json-content-type",
    reference: "Error messages of event endpoints are JSON without its content type.",
    here: "`application/json`.",
    reason: "That is what they are.",
    adjust: response((recorded) =>
      is(jsonOf(recorded)) && recorded.headers["content-type"] === plainText["content-type"]
        ? withJsonType(recorded)
        : recorded,
    ),
  },
  {
    id: "no-own-telemetry",
    reference: "The relay posts diagnostics and usage of its own.",
    here: "It posts nothing but the events of SDKs.",
    reason: "What runs in a host's process does not phone home.",
    adjust: (recorded) =>
      recorded.kind === "posts"
        ? { kind: "posts", value: recorded.value.filter((post) => !isOwnTelemetry(post.body)) }
        : recorded,
  },
  {
    id: "user-agent",
    reference: "Posts of events name the reference in `User-Agent`, diagnostics without one its library.",
    here: "Events name this relay; diagnostics have the `User-Agent` of the SDK or none.",
    reason: "They tell what is running.",
    adjust: (recorded) =>
      recorded.kind === "posts"
        ? {
            kind: "posts",
            value: recorded.value.map(withOwnAgent),
          }
        : recorded,
  },
  ...postDifferences,
];

function eventsOf(observation: Observation): readonly StreamEvent[] {
  if (observation.kind === "events") return observation.value;
  return observation.kind === "response" ? (observation.value.events ?? []) : [];
}

function isCorsRecording({ headers }: Response): boolean {
  return headers["access-control-allow-headers"]?.includes("X-My-Header") ?? false;
}

/** The versions that come too late in the recording of streams. */
function isStale(list: readonly StreamEvent[]): boolean {
  return list.every(({ event, data }) => {
    if (event === "ping") return true;
    if (!is(data)) return false;
    const version = is(data.data) ? data.data.version : data.version;
    return typeof version === "number" && version <= 9;
  });
}

function withoutNulls({ event, data }: StreamEvent): StreamEvent {
  if (event !== "put" || !is(data)) return { event, data };
  const clean = (items: unknown) =>
    is(items) ? Object.fromEntries(Object.entries(items).filter(([, item]) => item !== null)) : items;
  if (!is(data.data)) return { event, data: clean(data) };
  return {
    event,
    data: { ...data, data: { flags: clean(data.data.flags), segments: clean(data.data.segments) } },
  };
}

function isWithoutData({ request }: ReplayedStep): boolean {
  return /sdk-5555|3123456789abcdef/.test(JSON.stringify(request));
}

function mapEnvironments(
  { json }: Response,
  change: (environment: Record<string, unknown>) => Record<string, unknown>,
): { json?: unknown } {
  if (!is(json) || !is(json.environments)) return json === undefined ? {} : { json };
  const entries = Object.entries(json.environments).map(([name, environment]) => [
    name,
    is(environment) ? change(environment) : environment,
  ]);
  return { json: { ...json, environments: Object.fromEntries(entries) } };
}

function jsonOf({ json, body }: Response): unknown {
  if (json !== undefined) return json;
  try {
    return JSON.parse(body ?? "");
  } catch {
    return undefined;
  }
}

function withJsonType(recorded: Response): Response {
  const { body: _, ...rest } = recorded;
  return { ...withHeaders(rest, { "content-type": "application/json" }), json: jsonOf(recorded) };
}

function withOwnAgent(post: ComparablePost): ComparablePost {
  const { "user-agent": agent = "", ...headers } = post.headers;
  if (agent.includes("LDRelay")) return { ...post, headers: { ...headers, "user-agent": "wye-relay" } };
  return agent.includes("Go-http-client") ? { ...post, headers } : post;
}

function isOwnTelemetry(body: unknown): boolean {
  if (Array.isArray(body)) return body.some((event) => is(event) && event.kind === "relayMetrics");
  return is(body) && is(body.id) && typeof body.id.sdkKeySuffix === "string";
}

/** What is now in place of what was recorded, if both are the same in the form in which the reference writes items. */
function sameItems(recorded: Observation, { actual, request }: ReplayedStep): Observation {
  if (recorded.kind === "events" && actual.kind === "events") {
    const same = isDeepStrictEqual(canonicalEvents(recorded.value), canonicalEvents(actual.value));
    return same ? actual : recorded;
  }
  if (recorded.kind !== "response" || actual.kind !== "response") return recorded;
  const { value } = recorded;
  if (value.events !== undefined && actual.value.events !== undefined) {
    const same = isDeepStrictEqual(canonicalEvents(value.events), canonicalEvents(actual.value.events));
    return same ? { kind: "response", value: { ...value, events: actual.value.events } } : recorded;
  }
  const path = request?.path ?? "";
  const same = isDeepStrictEqual(canonicalBody(value.json, path), canonicalBody(actual.value.json, path));
  return same && value.json !== undefined
    ? { kind: "response", value: { ...value, json: actual.value.json } }
    : recorded;
}
