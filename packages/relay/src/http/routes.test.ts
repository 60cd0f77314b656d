import { describe, expect, test } from "vitest";
import { matchRoute, routes } from "./routes.js";

const segmentsOf = (path: string) => path.slice(1).split("/");
const samples: Record<string, string> = {
  context: "eyJrZXkiOiJhIn0",
  envId: "0123456789abcdef",
  key: "a flag/ü",
};
const pathOf = (pattern: string) =>
  segmentsOf(pattern).map((part) => part.replace(/\{(\w+)\}/, (_, name: string) => samples[name] ?? ""));

describe("every row of the table", () => {
  for (const route of routes) {
    test(`${route.method} ${route.path} leads to ${route.endpoint} by ${route.credential}`, () => {
      const result = matchRoute(route.method, pathOf(route.path));
      expect(result).toMatchObject({ kind: "match", match: { route } });
    });

    test(`${route.path} refuses DELETE and HEAD`, () => {
      for (const method of ["DELETE", "HEAD"]) {
        expect(matchRoute(method, pathOf(route.path))).toMatchObject({ kind: "wrong-method" });
      }
    });
  }
});

/** What stands behind the paths of one credential: each path with its endpoint. */
const table: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  none: {
    "GET /status": "status",
    "GET /live": "live",
    "GET /ready": "ready",
    "GET /metrics": "metrics",
  },
  sdkKey: {
    "GET /all": "all-stream",
    "GET /flags": "flags-stream",
    "POST /bulk": "events",
    "POST /diagnostic": "diagnostic",
    "GET /sdk/flags": "php-flags",
    "GET /sdk/flags/{key}": "php-flag",
    "GET /sdk/segments/{key}": "php-segment",
    "GET /sdk/latest-all": "latest-all",
    ...evaluationAt("/sdk/", ""),
  },
  mobileKey: {
    "GET /meval/{context}": "client-stream",
    "REPORT /meval": "client-stream",
    "GET /mping": "ping-stream",
    "POST /mobile": "events",
    "POST /mobile/events": "events",
    "POST /mobile/events/bulk": "events",
    "POST /mobile/events/diagnostic": "diagnostic",
    ...evaluationAt("/msdk/", ""),
  },
  envId: {
    "GET /eval/{envId}/{context}": "client-stream",
    "REPORT /eval/{envId}": "client-stream",
    "GET /ping/{envId}": "ping-stream",
    "GET /sdk/goals/{envId}": "goals",
    "POST /events/bulk/{envId}": "events",
    "POST /events/diagnostic/{envId}": "diagnostic",
    "GET /a/{envId}.gif": "event-image",
    ...evaluationAt("/sdk/", "/{envId}"),
  },
};

function evaluationAt(before: string, behind: string): Record<string, string> {
  const paths = Object.entries({ evalx: "evaluate", eval: "evaluate-values" }).flatMap(([word, endpoint]) => [
    ...["contexts", "users"].map((name) => [`GET ${before}${word}${behind}/${name}/{context}`, endpoint]),
    ...["context", "contexts", "user", "users"].map((name) => [
      `REPORT ${before}${word}${behind}/${name}`,
      endpoint,
    ]),
  ]);
  return Object.fromEntries(paths);
}

test.each(Object.entries(table))(
  "by %s lead those paths that SDKs and operators know, and no others",
  (credential, paths) => {
    const found = routes.filter((route) => route.credential === credential);
    expect(
      Object.fromEntries(found.map((route) => [`${route.method} ${route.path}`, route.endpoint])),
    ).toEqual(paths);
    expect(found).toHaveLength(Object.keys(paths).length);
  },
);

describe("special paths", () => {
  const cases = [
    { method: "GET", path: "/nope", result: { kind: "unknown" } },
    { method: "GET", path: "/status/", result: { kind: "unknown" } },
    { method: "GET", path: "/meval/", result: { kind: "unknown" } },
    { method: "GET", path: "/sdk/evalx/contexts/", result: { kind: "unknown" } },
    { method: "GET", path: "/a/.gif", result: { kind: "unknown" } },
    { method: "GET", path: "/a/x.png", result: { kind: "unknown" } },
    { method: "OPTIONS", path: "/all", result: { kind: "wrong-method", match: { methods: ["GET"] } } },
    { method: "OPTIONS", path: "/status", result: { kind: "wrong-method", match: { methods: ["GET"] } } },
    { method: "POST", path: "/all", result: { kind: "wrong-method", match: { methods: ["GET"] } } },
    {
      method: "OPTIONS",
      path: "/sdk/evalx/e1/contexts/c",
      result: { kind: "match", match: { methods: ["GET", "OPTIONS"], variables: { envId: "e1" } } },
    },
    {
      method: "OPTIONS",
      path: "/eval/e1",
      result: { kind: "match", match: { methods: ["REPORT", "OPTIONS"] } },
    },
    {
      method: "POST",
      path: "/sdk/evalx/contexts/context",
      result: {
        kind: "wrong-method",
        match: { route: { credential: "envId" }, methods: ["GET", "REPORT", "OPTIONS"] },
      },
    },
    {
      method: "GET",
      path: "/a/e1.gif",
      result: { kind: "match", match: { variables: { envId: "e1" } } },
    },
    {
      method: "REPORT",
      path: "/sdk/evalx/e1/users",
      result: { kind: "match", match: { route: { endpoint: "evaluate", credential: "envId" } } },
    },
    {
      method: "GET",
      path: "/sdk/flags/__proto__",
      result: {
        kind: "match",
        match: { variables: Object.assign(Object.create(null), { key: "__proto__" }) },
      },
    },
  ];
  for (const { method, path, result } of cases) {
    test(`${method} ${path}`, () => expect(matchRoute(method, segmentsOf(path))).toMatchObject(result));
  }
});
